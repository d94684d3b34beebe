-- People who are kept apart from an owner: their stars and watches of the owner's repositories, which may be very many, end some at a time.
CREATE TABLE parting (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  owner_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  -- What they begin after that is theirs.
  begun_at INTEGER NOT NULL,
  -- Of all repositories up to this id they have let go.
  looked_to INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX parting_user ON parting (user_id);
CREATE INDEX parting_owner ON parting (owner_id);
