-- Who wants to hear of what happens in a repository.
CREATE TABLE watch (
  user_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  -- 'normal': asked for; 'auto': began with something else the person did there; 'ignored': no longer, and not to begin by itself again.
  mode TEXT NOT NULL DEFAULT 'normal' CHECK (mode IN ('normal', 'auto', 'ignored')),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, repo_id)
) STRICT;
CREATE INDEX watch_repo ON watch (repo_id, user_id, mode);

-- Derived: the triggers keep it, whichever way a watch comes, changes or goes.
ALTER TABLE repository ADD COLUMN watch_count INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER repository_watched AFTER INSERT ON watch BEGIN
  UPDATE repository SET watch_count = watch_count + (NEW.mode <> 'ignored') WHERE id = NEW.repo_id;
END;
CREATE TRIGGER repository_watch_changed AFTER UPDATE OF mode ON watch BEGIN
  UPDATE repository SET watch_count = watch_count + (NEW.mode <> 'ignored') - (OLD.mode <> 'ignored') WHERE id = NEW.repo_id;
END;
CREATE TRIGGER repository_unwatched AFTER DELETE ON watch BEGIN
  UPDATE repository SET watch_count = watch_count - (OLD.mode <> 'ignored') WHERE id = OLD.repo_id;
END;
