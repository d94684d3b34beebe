-- The branch that a repository's wiki is read from; empty while nothing was ever written there. The wiki is a git store of its own, whose
-- number is that of its repository, negated: in ref, reflog and ref_state.
ALTER TABLE repository ADD COLUMN wiki_branch TEXT NOT NULL DEFAULT '';

-- Like refs, it goes with what is cleared after the repository.
CREATE TABLE ref_state_kept (
  repo_id INTEGER PRIMARY KEY,
  -- Counts up with each change of a ref.
  version INTEGER NOT NULL DEFAULT 0,
  -- The version that packed-refs on disk was written from.
  written_version INTEGER NOT NULL DEFAULT 0,
  -- 1 when every stored object is reachable from a ref: a full clone may copy the packs as they lie.
  is_exact INTEGER NOT NULL DEFAULT 1
) STRICT;
INSERT INTO ref_state_kept (repo_id, version, written_version, is_exact) SELECT repo_id, version, written_version, is_exact FROM ref_state;
DROP TABLE ref_state;
ALTER TABLE ref_state_kept RENAME TO ref_state;
