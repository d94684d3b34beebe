-- Whether a hook may fire is asked of its maker's rights at each use (webhooks/rules.ts). Who was deleted, and so left no
-- creator_id, has none; that needs no switching off.
DROP TRIGGER webhook_creator_gone;
DROP TRIGGER webhook_models;

-- A new repository, however it comes to be, gets a copy of each model of the site. Who made the model answers for its copies.
CREATE TRIGGER webhook_models AFTER INSERT ON repository BEGIN
  INSERT INTO webhook (repo_id, creator_id, type, name, url, content_type, secret, authorization, events, branch_filter, settings, is_active, created_at, updated_at)
  SELECT NEW.id, creator_id, type, name, url, content_type, secret, authorization, events, branch_filter, settings, is_active, NEW.created_at, NEW.created_at
  FROM webhook WHERE repo_id IS NULL AND owner_id IS NULL AND is_system = 0;
END;

-- Copies made so far, which had no maker: the first site administrator answers for them.
UPDATE webhook SET creator_id = (SELECT min(id) FROM user WHERE is_admin = 1) WHERE creator_id IS NULL AND repo_id IS NOT NULL AND is_active = 1;
