-- Labels and milestones that were deleted, or are there again, and what refers to them is not through with that yet: it follows a few rows at a
-- time, for it may be very much.
CREATE TABLE unsettled_row (
  id INTEGER PRIMARY KEY,
  table_name TEXT NOT NULL,
  row_id INTEGER NOT NULL,
  -- Where the rows that refer to it are kept; NULL: nowhere.
  deletion_id INTEGER REFERENCES deletion (id) ON DELETE SET NULL,
  -- Whether it is there again, and they come back to it.
  is_back INTEGER NOT NULL,
  UNIQUE (table_name, row_id)
) STRICT;
CREATE INDEX unsettled_row_deletion ON unsettled_row (deletion_id);
