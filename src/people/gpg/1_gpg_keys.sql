-- OpenPGP keys: a row a primary key, and one for each of its subkeys.
CREATE TABLE gpg_key (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  -- The primary key that a subkey belongs to; NULL for a primary key itself.
  primary_id INTEGER REFERENCES gpg_key (id) ON DELETE CASCADE,
  -- Sixteen hexadecimal digits in upper case.
  key_id TEXT NOT NULL,
  -- The public key packet alone.
  packet BLOB NOT NULL,
  -- What signatures are verified with: the key with its identities, subkeys and its own signatures; NULL for subkeys.
  certificate BLOB,
  can_sign INTEGER NOT NULL,
  can_certify INTEGER NOT NULL,
  can_encrypt_comms INTEGER NOT NULL,
  can_encrypt_storage INTEGER NOT NULL,
  -- Whether the account has shown that it holds the private key, by a signature of its own.
  is_verified INTEGER NOT NULL DEFAULT 0,
  -- When the key was made, and when it ends, if ever; as it says itself.
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  CHECK ((primary_id IS NULL) = (certificate IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX gpg_key_primary ON gpg_key (key_id) WHERE primary_id IS NULL;
CREATE INDEX gpg_key_user ON gpg_key (user_id, key_id);
CREATE INDEX gpg_key_subkeys ON gpg_key (primary_id) WHERE primary_id IS NOT NULL;

-- The addresses that a primary key says it is for, whoever's they are.
CREATE TABLE gpg_key_identity (
  key_id INTEGER NOT NULL REFERENCES gpg_key (id) ON DELETE CASCADE,
  lower_email TEXT NOT NULL,
  PRIMARY KEY (key_id, lower_email)
) STRICT, WITHOUT ROWID;
