-- A browser that is signed in. Only a hash of what its cookie carries is kept.
CREATE TABLE session (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  digest TEXT NOT NULL UNIQUE,
  -- A hash of the password's hash at the time: another password ends the session, whoever set it.
  credential TEXT NOT NULL,
  -- From where and with what it was begun, for its holder to recognise it.
  address TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL
) STRICT;
CREATE INDEX session_by_user ON session (user_id);

-- An address that signs a browser in, once.
CREATE TABLE sign_in_link (
  digest TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sign_in_link_by_user ON sign_in_link (user_id);
