-- SSH keys of people. A key identifies one account: its fingerprint is unique over all of them.
CREATE TABLE public_key (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  -- `SHA256:…`, as `ssh-keygen -l` prints it.
  fingerprint TEXT NOT NULL UNIQUE,
  -- `type base64 [comment]`, one line.
  content TEXT NOT NULL,
  is_read_only INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  UNIQUE (user_id, title)
) STRICT;
