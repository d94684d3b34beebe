-- How long each has worked on an issue is added up without a look at the rows.
CREATE INDEX tracked_time_spent ON tracked_time (issue_id, user_id, seconds);
