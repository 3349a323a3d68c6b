"""Plain types that pass between the stages; numpy only."""
