-- Rows that were deleted alone: others may refer to them still, which follow a few at a time.
CREATE TABLE gone_row (
  id INTEGER PRIMARY KEY,
  table_name TEXT NOT NULL,
  row_id INTEGER NOT NULL,
  UNIQUE (table_name, row_id)
) STRICT;
