-- What was mailed to an account's address: whoever brings the code back reads that mailbox. A code is good for one purpose, once.
CREATE TABLE account_code (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  purpose TEXT NOT NULL CHECK (purpose IN ('activate', 'reset')),
  -- SHA-256.
  digest TEXT NOT NULL UNIQUE,
  -- What the account was when the code was mailed: another address or password ends it.
  lower_email TEXT NOT NULL,
  credential TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX account_code_user ON account_code (user_id, created_at);
CREATE INDEX account_code_email ON account_code (lower_email);
CREATE INDEX account_code_age ON account_code (created_at);

-- Accounts that people have made for themselves and not activated: they go when nobody does.
CREATE TABLE self_registration (
  user_id INTEGER PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX self_registration_age ON self_registration (created_at);
CREATE TRIGGER self_registration_ends AFTER UPDATE OF is_active ON user WHEN NEW.is_active = 1 BEGIN
  DELETE FROM self_registration WHERE user_id = NEW.id;
END;

-- Somebody says to have forgotten a password. Whose it is is found out later: the answer takes as long whether or not it is anybody's.
CREATE TABLE recovery_request (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  email TEXT NOT NULL
) STRICT;
