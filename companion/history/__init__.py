"""All hands of a log: found again, counted up, handed on."""
