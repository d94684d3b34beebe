-- As whom the messages of the commits that a move brought act in other repositories, as JSON, with the limits of tokens. NULL: not known, the messages
-- act in one repository alone.
ALTER TABLE reflog ADD COLUMN acting TEXT;
