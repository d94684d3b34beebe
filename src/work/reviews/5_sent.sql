-- A review of very many comments was sent: what they refer to and whom they mention is noted some at a time, and then others are told of it.
CREATE TABLE sent_review (
  review_id INTEGER PRIMARY KEY REFERENCES review (id) ON DELETE CASCADE,
  -- Its entry in the timeline.
  entry_id INTEGER NOT NULL,
  -- Up to this comment all are noted.
  looked_to INTEGER NOT NULL,
  -- Ids of whom those mention, a JSON list.
  mentioned TEXT NOT NULL
) STRICT;
