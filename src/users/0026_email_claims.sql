-- An address belongs to whom it is verified for; until then any number of accounts may claim it.
CREATE TABLE email_address_next (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  lower_email TEXT NOT NULL,
  is_verified INTEGER NOT NULL DEFAULT 0,
  is_primary INTEGER NOT NULL DEFAULT 0,
  UNIQUE (user_id, lower_email)
) STRICT;
INSERT INTO email_address_next SELECT id, user_id, email, lower_email, is_verified, is_primary FROM email_address;
DROP TABLE email_address;
ALTER TABLE email_address_next RENAME TO email_address;
CREATE UNIQUE INDEX email_address_verified ON email_address (lower_email) WHERE is_verified = 1;
CREATE INDEX email_address_lower ON email_address (lower_email);
