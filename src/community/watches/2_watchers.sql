-- Who is to hear of a repository, for rooms below this one to ask.
CREATE VIEW watcher AS SELECT user_id, repo_id FROM watch WHERE mode <> 'ignored';
