-- Where the commit of a commit_ref lies: its message is told only to who may read the code there. NULL: where the issue is.
ALTER TABLE comment ADD COLUMN ref_repo_id INTEGER;
