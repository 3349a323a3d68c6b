"""The running table: pipeline, commands, snapshots."""
