-- Repositories that fewer people see than before: whoever no longer does lets go of them, some people at a time.
CREATE TABLE narrowed_repository (
  id INTEGER PRIMARY KEY REFERENCES repository (id) ON DELETE CASCADE,
  -- All people up to this id have been looked at.
  looked_to INTEGER NOT NULL
) STRICT;
