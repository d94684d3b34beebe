-- `repository.star_count`, `watch_count` and `branch_count` are derived, so that records of repositories need not count.
ALTER TABLE repository ADD COLUMN star_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE repository ADD COLUMN watch_count INTEGER NOT NULL DEFAULT 0;
-- Kept by each change of refs.
ALTER TABLE repository ADD COLUMN branch_count INTEGER NOT NULL DEFAULT 0;
UPDATE repository SET
  star_count = (SELECT count(*) FROM star WHERE repo_id = repository.id),
  branch_count = (SELECT count(*) FROM ref WHERE repo_id = repository.id AND name >= 'refs/heads/' AND name < 'refs/heads0');

CREATE TRIGGER repository_starred AFTER INSERT ON star BEGIN
  UPDATE repository SET star_count = star_count + 1 WHERE id = NEW.repo_id;
END;
CREATE TRIGGER repository_unstarred AFTER DELETE ON star BEGIN
  UPDATE repository SET star_count = star_count - 1 WHERE id = OLD.repo_id;
END;
CREATE TRIGGER repository_watched AFTER INSERT ON watch BEGIN
  UPDATE repository SET watch_count = watch_count + (NEW.mode <> 'ignored') WHERE id = NEW.repo_id;
END;
CREATE TRIGGER repository_watch_changed AFTER UPDATE OF mode ON watch BEGIN
  UPDATE repository SET watch_count = watch_count + (NEW.mode <> 'ignored') - (OLD.mode <> 'ignored') WHERE id = NEW.repo_id;
END;
CREATE TRIGGER repository_unwatched AFTER DELETE ON watch BEGIN
  UPDATE repository SET watch_count = watch_count - (OLD.mode <> 'ignored') WHERE id = OLD.repo_id;
END;

-- Lists of stargazers are in the order of this index.
DROP INDEX star_repo;
CREATE INDEX star_repo ON star (repo_id, user_id);
