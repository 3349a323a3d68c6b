"""Score sheets for games that no camera referees: standard library and the rules' readers only."""
