-- People and organizations share one namespace, as they share the first path segment.
CREATE TABLE user (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('person', 'organization')),
  name TEXT NOT NULL,
  lower_name TEXT NOT NULL UNIQUE,
  full_name TEXT NOT NULL DEFAULT '',
  -- The primary address; all addresses are rows of email_address.
  email TEXT NOT NULL,
  -- argon2id; empty: no password sign-in.
  password_hash TEXT NOT NULL DEFAULT '',
  must_change_password INTEGER NOT NULL DEFAULT 0,
  login_source INTEGER NOT NULL DEFAULT 0,
  login_name TEXT NOT NULL DEFAULT '',
  is_admin INTEGER NOT NULL DEFAULT 0,
  is_active INTEGER NOT NULL DEFAULT 1,
  is_restricted INTEGER NOT NULL DEFAULT 0,
  prohibit_login INTEGER NOT NULL DEFAULT 0,
  visibility TEXT NOT NULL DEFAULT 'public' CHECK (visibility IN ('public', 'limited', 'private')),
  website TEXT NOT NULL DEFAULT '',
  location TEXT NOT NULL DEFAULT '',
  description TEXT NOT NULL DEFAULT '',
  pronouns TEXT NOT NULL DEFAULT '',
  language TEXT NOT NULL DEFAULT '',
  allow_create_organization INTEGER NOT NULL DEFAULT 1,
  max_repo_creation INTEGER NOT NULL DEFAULT -1,
  hide_email INTEGER NOT NULL DEFAULT 0,
  hide_activity INTEGER NOT NULL DEFAULT 0,
  theme TEXT NOT NULL DEFAULT '',
  diff_view_style TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  last_login_at INTEGER
) STRICT;
CREATE INDEX user_kind ON user (kind, visibility);
CREATE INDEX user_hidden ON user (visibility) WHERE visibility <> 'public';

-- An address belongs to whom it is verified for; until then any number of accounts may claim it.
CREATE TABLE email_address (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  lower_email TEXT NOT NULL,
  is_verified INTEGER NOT NULL DEFAULT 0,
  is_primary INTEGER NOT NULL DEFAULT 0,
  UNIQUE (user_id, lower_email)
) STRICT;
CREATE UNIQUE INDEX email_address_verified ON email_address (lower_email) WHERE is_verified = 1;
CREATE INDEX email_address_lower ON email_address (lower_email);

-- Names and addresses that cannot be taken: of deleted accounts, or blocked by an administrator.
CREATE TABLE reserved_name (
  lower_name TEXT PRIMARY KEY,
  reason TEXT NOT NULL CHECK (reason IN ('deleted', 'renamed', 'blocked')),
  -- A renamed account's id: its old name leads there, and only it may take the name back.
  user_id INTEGER REFERENCES user (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TABLE reserved_email (
  lower_email TEXT PRIMARY KEY,
  lower_name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
