"""A letter comes in: whose it is, what it says, and the one answer that goes out."""
