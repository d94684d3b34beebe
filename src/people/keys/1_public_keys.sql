-- SSH keys. A fingerprint stands for one account or for deploy keys, never for both: it is unique over all.
CREATE TABLE public_key (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Whose key it is; NULL: deploy keys share it, see repositories/deploy-keys.
  user_id INTEGER REFERENCES user (id) ON DELETE CASCADE,
  -- Empty for deploy keys, which have titles of their own.
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
