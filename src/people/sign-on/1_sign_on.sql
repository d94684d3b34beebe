-- Who at other sites is whose account here.
CREATE TABLE external_identity (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  source_id INTEGER NOT NULL REFERENCES login_source (id),
  -- Two issuers may call two people by one subject; a source may be given another issuer.
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  -- What they are called there, for people to tell them apart.
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  UNIQUE (source_id, issuer, subject)
) STRICT;
CREATE INDEX external_identity_user ON external_identity (user_id);

-- Browsers that were sent to another site and may come back, once. Known by a digest of the cookie's secret and the state together,
-- from which nonce and verifier are derived.
CREATE TABLE sign_on_attempt (
  digest TEXT PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES login_source (id) ON DELETE CASCADE,
  address TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  return_to TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_on_attempt_expiry ON sign_on_attempt (expires_at);
CREATE INDEX sign_on_attempt_address ON sign_on_attempt (address, expires_at);

-- Browsers whose person another site has shown, and who have no account here yet, or have not said which it is.
CREATE TABLE sign_on_newcomer (
  digest TEXT PRIMARY KEY,
  source_id INTEGER NOT NULL REFERENCES login_source (id) ON DELETE CASCADE,
  -- What the site said of them: JSON, encrypted.
  identity TEXT NOT NULL,
  -- Why they are asked.
  note TEXT NOT NULL,
  return_to TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_on_newcomer_expiry ON sign_on_newcomer (source_id, expires_at);
