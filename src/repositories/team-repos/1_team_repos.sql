-- Which repositories a team reaches, besides those of teams that include all.
CREATE TABLE team_repo (
  team_id INTEGER NOT NULL REFERENCES team (id) ON DELETE CASCADE,
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  PRIMARY KEY (team_id, repo_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX team_repo_repo ON team_repo (repo_id);

-- A repository that changes hands leaves the teams of its former owner.
CREATE TRIGGER team_repo_owner AFTER UPDATE OF owner_id ON repository WHEN OLD.owner_id <> NEW.owner_id BEGIN
  DELETE FROM team_repo WHERE repo_id = NEW.id;
END;
