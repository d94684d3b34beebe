-- A program that people can let into their accounts. Its secret is shown once; only a hash is kept.
CREATE TABLE oauth2_application (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Null for those that every server knows.
  owner_id INTEGER REFERENCES user (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  client_id TEXT NOT NULL UNIQUE,
  secret_digest TEXT NOT NULL,
  -- Whether it can keep the secret: a server can, a program on somebody's own machine cannot.
  is_confidential INTEGER NOT NULL,
  -- Whether who has let it in once is not asked again, though it is not confidential.
  skips_consent INTEGER NOT NULL,
  -- One a line.
  redirect_uris TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX oauth2_application_by_owner ON oauth2_application (owner_id);

-- A person has let an application in. All that it holds of theirs goes with this row.
CREATE TABLE oauth2_grant (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  application_id INTEGER NOT NULL REFERENCES oauth2_application (id) ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  -- Scopes that were agreed to, with spaces between.
  scope TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  UNIQUE (application_id, user_id)
) STRICT;
CREATE INDEX oauth2_grant_by_user ON oauth2_grant (user_id);

-- One time that a grant was used to let the application in: the code that it got, and what its tokens descend from.
CREATE TABLE oauth2_authorization (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  grant_id INTEGER NOT NULL REFERENCES oauth2_grant (id) ON DELETE CASCADE,
  code_digest TEXT NOT NULL UNIQUE,
  code_expires_at INTEGER NOT NULL,
  -- When the code was exchanged, which it is once.
  redeemed_at INTEGER,
  -- As the request had it; empty when it had none.
  redirect_uri TEXT NOT NULL,
  -- RFC 7636; empty when the request had none.
  code_challenge TEXT NOT NULL,
  code_challenge_method TEXT NOT NULL CHECK (code_challenge_method IN ('', 'S256', 'plain')),
  scope TEXT NOT NULL,
  nonce TEXT NOT NULL,
  -- When the person had signed in, and a hash of their password's hash then: a code does not outlive the password.
  signed_in_at INTEGER NOT NULL,
  credential TEXT NOT NULL,
  -- When the last that descends from it is over.
  ends_at INTEGER NOT NULL
) STRICT;
CREATE INDEX oauth2_authorization_by_grant ON oauth2_authorization (grant_id);
CREATE INDEX oauth2_authorization_by_end ON oauth2_authorization (ends_at);

-- Only hashes of tokens are kept.
CREATE TABLE oauth2_token (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  authorization_id INTEGER NOT NULL REFERENCES oauth2_authorization (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('access', 'refresh')),
  digest TEXT NOT NULL UNIQUE,
  scope TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  -- When a refresh token was exchanged for its successor.
  used_at INTEGER
) STRICT;
CREATE INDEX oauth2_token_by_authorization ON oauth2_token (authorization_id);

-- What id_tokens are signed with: the newest of the algorithm that is set. Older ones still verify.
CREATE TABLE oauth2_signing_key (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kid TEXT NOT NULL UNIQUE,
  algorithm TEXT NOT NULL,
  -- The private key as JWK, encrypted.
  sealed TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
