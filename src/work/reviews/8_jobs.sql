-- Jobs replace the table of unfinished work.
INSERT INTO job (kind, key, args, cursor, created_at)
  SELECT 'reviews.announce', review_id, json_object('reviewId', review_id, 'entryId', entry_id),
    json_object('after', looked_to, 'mentioned', json(mentioned)), CAST(strftime('%s', 'now') AS INTEGER) FROM sent_review ORDER BY review_id;
DROP TABLE sent_review;
