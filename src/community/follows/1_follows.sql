-- Who follows whom; organizations are followed, and follow no one.
CREATE TABLE follow (
  follower_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  followed_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (follower_id, followed_id),
  CHECK (follower_id <> followed_id)
) STRICT;
CREATE INDEX follow_followed ON follow (followed_id, follower_id);

-- Both derived: the triggers keep them, whichever way a follow comes or goes.
ALTER TABLE user ADD COLUMN follower_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE user ADD COLUMN following_count INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER follow_added AFTER INSERT ON follow BEGIN
  UPDATE user SET following_count = following_count + 1 WHERE id = NEW.follower_id;
  UPDATE user SET follower_count = follower_count + 1 WHERE id = NEW.followed_id;
END;
CREATE TRIGGER follow_removed AFTER DELETE ON follow BEGIN
  UPDATE user SET following_count = following_count - 1 WHERE id = OLD.follower_id;
  UPDATE user SET follower_count = follower_count - 1 WHERE id = OLD.followed_id;
END;
