CREATE INDEX reflog_age ON reflog (created_at);
