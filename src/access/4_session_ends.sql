-- What is over is found without looking at all that is not.
CREATE INDEX session_by_use ON session (last_used_at);
CREATE INDEX session_by_begin ON session (created_at);
CREATE INDEX sign_in_link_by_end ON sign_in_link (expires_at);
