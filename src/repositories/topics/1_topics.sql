-- What a repository is about, in a few words that searches go by.
CREATE TABLE topic (
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  PRIMARY KEY (repo_id, name)
) STRICT;
CREATE INDEX topic_name ON topic (name);
