-- The refs of every repository: facts. packed-refs and HEAD on disk are written from these rows.
CREATE TABLE ref (
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  oid TEXT NOT NULL,
  -- What an annotated tag finally points to.
  peeled TEXT,
  PRIMARY KEY (repo_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE reflog (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id INTEGER NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  old_oid TEXT NOT NULL,
  new_oid TEXT NOT NULL,
  actor_id INTEGER NOT NULL,
  message TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX reflog_ref ON reflog (repo_id, name, id);

-- What upkeep needs to know of each repository's object store.
CREATE TABLE ref_state (
  repo_id INTEGER PRIMARY KEY REFERENCES repository (id) ON DELETE CASCADE,
  -- Counts up with each change of a ref.
  version INTEGER NOT NULL DEFAULT 0,
  -- The version that packed-refs on disk was written from.
  written_version INTEGER NOT NULL DEFAULT 0,
  -- 1 when every stored object is reachable from a ref: a full clone may copy the packs as they lie.
  is_exact INTEGER NOT NULL DEFAULT 1
) STRICT;

-- Derived: kept by each change of refs, which knows how many branches came and went.
ALTER TABLE repository ADD COLUMN branch_count INTEGER NOT NULL DEFAULT 0;
