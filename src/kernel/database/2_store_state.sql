-- Whether a server has the store open, so that a copy of the database alone can be told from what it was copied from. One row.
CREATE TABLE store_state (
  is_open INTEGER NOT NULL,
  -- When the store was last opened as a copy that lacks the end of what was written; NULL: never, or an administrator has looked after it.
  cut_short_at INTEGER
) STRICT;
INSERT INTO store_state (is_open) VALUES (0);
