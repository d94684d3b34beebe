-- The secret that an account shares with an app which shows one-time codes.
CREATE TABLE totp (
  user_id INTEGER PRIMARY KEY REFERENCES user (id) ON DELETE CASCADE,
  -- Sealed: whoever has only the database cannot make codes of it.
  secret TEXT NOT NULL,
  -- The time step of the last code that was taken. Neither that one nor an earlier one is taken again.
  last_step INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- Codes for who has lost the app or the key. Each is gone once it was used.
CREATE TABLE recovery_code (
  digest TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE
) STRICT;
CREATE INDEX recovery_code_by_user ON recovery_code (user_id);

-- Security keys and passkeys: WebAuthn's public key credentials.
CREATE TABLE security_key (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  lower_name TEXT NOT NULL,
  -- The authenticator's name for it, base64url.
  credential_id TEXT NOT NULL UNIQUE,
  -- In COSE's form, base64url.
  public_key TEXT NOT NULL,
  -- How often it signed, as it says itself; one that always says 0 does not count.
  counter INTEGER NOT NULL,
  -- The host that it was made for; browsers offer it to no other.
  rp_id TEXT NOT NULL,
  -- What an authenticator that signs people in by itself knows the account by; random, base64url.
  user_handle TEXT NOT NULL,
  -- How it can be reached (usb, internal, …), joined by commas.
  transports TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  UNIQUE (user_id, lower_name)
) STRICT;

-- A browser in which the password was right, and the second factor is asked for. Only a hash of what its cookie carries is kept.
CREATE TABLE half_sign_in (
  digest TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  -- As of a session: another password ends it.
  credential TEXT NOT NULL,
  redirect_to TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX half_sign_in_by_user ON half_sign_in (user_id);
CREATE INDEX half_sign_in_by_end ON half_sign_in (expires_at);

-- Challenges that an authenticator has answered, until nobody would take them any more: each is answered once.
CREATE TABLE spent_challenge (
  digest TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX spent_challenge_by_end ON spent_challenge (expires_at);
