-- The accounts whose rights the messages of the new commits use in other repositories, as JSON, with the limits of their tokens. NULL: unknown, and the
-- messages act in their own repository only.
ALTER TABLE reflog ADD COLUMN acting TEXT;
