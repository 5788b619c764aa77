"""The way of a game: formed, played phase by phase at its deadlines, orders and absences."""
