-- Whom to tell of what happens: in a repository, in all that an account owns, or on the whole site (neither is set).
CREATE TABLE webhook (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  repo_id INTEGER REFERENCES repository (id) ON DELETE CASCADE,
  owner_id INTEGER REFERENCES user (id) ON DELETE CASCADE,
  -- Of the site's: 1 is told of everything, 0 is a model that new repositories get a copy of.
  is_system INTEGER NOT NULL DEFAULT 0,
  -- Who made it. Whether it may fire is asked of their rights at each use (rules.ts); who was deleted has none.
  creator_id INTEGER REFERENCES user (id) ON DELETE SET NULL,
  type TEXT NOT NULL,
  name TEXT NOT NULL DEFAULT '',
  url TEXT NOT NULL,
  content_type TEXT NOT NULL CHECK (content_type IN ('json', 'form')),
  -- Signs deliveries; never shown.
  secret TEXT NOT NULL DEFAULT '',
  -- The Authorization header of deliveries; never shown.
  authorization TEXT NOT NULL DEFAULT '',
  -- Names of webhooks/event-names.ts, as a JSON array.
  events TEXT NOT NULL,
  -- A glob that branches must match; empty: all do.
  branch_filter TEXT NOT NULL DEFAULT '',
  -- What the type needs besides (Slack's channel …), as JSON.
  settings TEXT NOT NULL DEFAULT '{}',
  is_active INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK (repo_id IS NULL OR owner_id IS NULL)
) STRICT;
CREATE INDEX webhook_holder ON webhook (repo_id, owner_id);
CREATE INDEX webhook_owner ON webhook (owner_id);
CREATE INDEX webhook_creator ON webhook (creator_id);

-- A new repository, however it comes to be, gets a copy of each model of the site. Who made the model answers for its copies.
CREATE TRIGGER webhook_models AFTER INSERT ON repository BEGIN
  INSERT INTO webhook (repo_id, creator_id, type, name, url, content_type, secret, authorization, events, branch_filter, settings, is_active, created_at, updated_at)
  SELECT NEW.id, creator_id, type, name, url, content_type, secret, authorization, events, branch_filter, settings, is_active, NEW.created_at, NEW.created_at
  FROM webhook WHERE repo_id IS NULL AND owner_id IS NULL AND is_system = 0;
END;
