"""The project's own figures, measured on the machine it runs on."""
