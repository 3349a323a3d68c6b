"""Makes the modules beside this file importable by every test."""
