-- Where people sign in who have no password here.
CREATE TABLE login_source (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('ldap', 'smtp', 'pam', 'oauth2')),
  name TEXT NOT NULL COLLATE NOCASE UNIQUE,
  is_active INTEGER NOT NULL DEFAULT 1,
  -- Whether its people are looked up periodically; only a directory can be.
  is_sync_enabled INTEGER NOT NULL DEFAULT 0,
  -- Whether who signed in there is asked for no second factor here.
  skip_local_2fa INTEGER NOT NULL DEFAULT 0,
  -- JSON, encrypted as a whole: it has passwords in it.
  config TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

-- Whoever a source calls by one name has one account.
CREATE UNIQUE INDEX user_login ON user (login_source, login_name) WHERE login_source <> 0;

-- Accounts that a synchronisation made inactive, and may make active again. What anybody else says of that makes an end of it.
CREATE TABLE source_absence (
  user_id INTEGER PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL
) STRICT;
CREATE TRIGGER source_absence_ends AFTER UPDATE OF is_active ON user BEGIN
  DELETE FROM source_absence WHERE user_id = NEW.id;
END;
