-- Only a hash of a token is kept; the token itself is shown once.
CREATE TABLE access_token (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  digest TEXT NOT NULL UNIQUE,
  last_eight TEXT NOT NULL,
  -- Comma-separated, normalized: `all`, or sorted categories.
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  UNIQUE (user_id, name)
) STRICT;
