-- Of an organization with thousands of teams those that reach all of its repositories are few.
CREATE INDEX team_of_all ON team (org_id) WHERE includes_all_repositories = 1;
