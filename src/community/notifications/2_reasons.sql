-- Why somebody was told last: a name of `reasons.ts`; empty for what was told before it was noted.
ALTER TABLE notification ADD COLUMN reason TEXT NOT NULL DEFAULT '';

-- What somebody does not want to be told for: of several reasons one that is not here is enough.
CREATE TABLE notification_mute (
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  reason TEXT NOT NULL,
  PRIMARY KEY (user_id, reason)
) STRICT, WITHOUT ROWID;
