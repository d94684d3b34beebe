-- People who may see less of what an account owns than before: they end watching what they no longer see, some repositories at a time.
-- No references: a row is there for a moment, and one of an account that is gone finds nothing.
CREATE TABLE leaver (
  user_id INTEGER NOT NULL,
  owner_id INTEGER NOT NULL,
  -- All repositories up to this id have been looked at.
  looked_to INTEGER NOT NULL,
  PRIMARY KEY (user_id, owner_id)
) STRICT;
