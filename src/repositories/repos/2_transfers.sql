-- Repositories that were offered to somebody else, until they take them or refuse.
CREATE TABLE repository_transfer (
  repo_id INTEGER PRIMARY KEY REFERENCES repository (id) ON DELETE CASCADE,
  doer_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  recipient_id INTEGER NOT NULL REFERENCES user (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX repository_transfer_doer ON repository_transfer (doer_id);
CREATE INDEX repository_transfer_recipient ON repository_transfer (recipient_id);

-- The recipient's teams that are to reach the repository.
CREATE TABLE repository_transfer_team (
  repo_id INTEGER NOT NULL REFERENCES repository_transfer (repo_id) ON DELETE CASCADE,
  team_id INTEGER NOT NULL REFERENCES team (id) ON DELETE CASCADE,
  PRIMARY KEY (repo_id, team_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX repository_transfer_team_team ON repository_transfer_team (team_id);

-- Derived, so that nobody looks for a transfer where there is none.
ALTER TABLE repository ADD COLUMN is_in_transfer INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER repository_offered AFTER INSERT ON repository_transfer BEGIN
  UPDATE repository SET is_in_transfer = 1 WHERE id = NEW.repo_id;
END;
CREATE TRIGGER repository_kept AFTER DELETE ON repository_transfer BEGIN
  UPDATE repository SET is_in_transfer = 0 WHERE id = OLD.repo_id;
END;
-- Under another name or owner it is not what was offered.
CREATE TRIGGER repository_not_as_offered AFTER UPDATE OF lower_name, owner_id ON repository
WHEN OLD.is_in_transfer = 1 AND (OLD.lower_name <> NEW.lower_name OR OLD.owner_id <> NEW.owner_id) BEGIN
  DELETE FROM repository_transfer WHERE repo_id = NEW.id;
END;
