-- How its changes come: 0 from a branch, 1 by pushes to refs/for/, as AGit has it. Then there is no branch: head_repo_id is the base's, and
-- head_branch what the pusher calls the topic, with their name before it.
ALTER TABLE pull ADD COLUMN flow INTEGER NOT NULL DEFAULT 0;
