"""How good the companion is: photos against labels, recordings against what was played."""
