-- Which repositories people marked for themselves.
CREATE TABLE star (
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, repo_id)
) STRICT;
CREATE INDEX star_repo ON star (repo_id, user_id);


-- Both derived: the triggers keep them, whichever way a star comes or goes.
ALTER TABLE user ADD COLUMN star_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE repository ADD COLUMN star_count INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER star_added AFTER INSERT ON star BEGIN
  UPDATE user SET star_count = star_count + 1 WHERE id = NEW.user_id;
END;
CREATE TRIGGER star_removed AFTER DELETE ON star BEGIN
  UPDATE user SET star_count = star_count - 1 WHERE id = OLD.user_id;
END;
CREATE TRIGGER repository_starred AFTER INSERT ON star BEGIN
  UPDATE repository SET star_count = star_count + 1 WHERE id = NEW.repo_id;
END;
CREATE TRIGGER repository_unstarred AFTER DELETE ON star BEGIN
  UPDATE repository SET star_count = star_count - 1 WHERE id = OLD.repo_id;
END;
