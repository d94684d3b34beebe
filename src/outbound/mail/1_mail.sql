-- Mail that waits for the mail server; what has been sent is gone from here.
CREATE TABLE mail (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- To whom: the address is the account's when it is sent.
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  -- The same at each attempt, so that what arrives twice can be told.
  message_id TEXT NOT NULL,
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  html TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX mail_due ON mail (next_attempt_at);
CREATE INDEX mail_user ON mail (user_id);
