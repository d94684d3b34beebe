-- Repositories that are made together with their first content, which has not come yet: what a crash leaves of them is taken back.
CREATE TABLE unfilled_repository (
  id INTEGER PRIMARY KEY REFERENCES repository (id) ON DELETE CASCADE,
  -- Who makes it.
  actor_id INTEGER NOT NULL
) STRICT;
