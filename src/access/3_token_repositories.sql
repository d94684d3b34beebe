-- A token that is limited reaches the private things of its repositories alone, and of none once they are gone.
ALTER TABLE access_token ADD COLUMN is_limited INTEGER NOT NULL DEFAULT 0;

CREATE TABLE access_token_repository (
  token_id INTEGER NOT NULL REFERENCES access_token (id) ON DELETE CASCADE,
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  PRIMARY KEY (token_id, repo_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX access_token_repository_by_repo ON access_token_repository (repo_id);
