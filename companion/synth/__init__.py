"""A renderer that plays a hand record on a table and gives frames with ground truth."""
