-- What was mailed to an address that an account claims: whoever brings the token back reads that mailbox.
CREATE TABLE email_proof (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  lower_email TEXT NOT NULL,
  -- SHA-256 of the token; null once it may not be used any more: the row still counts against further mail.
  digest TEXT UNIQUE,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX email_proof_user ON email_proof (user_id, created_at);
CREATE INDEX email_proof_email ON email_proof (lower_email, created_at);
CREATE INDEX email_proof_age ON email_proof (created_at);
