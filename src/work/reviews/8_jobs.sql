-- Jobs tell of reviews that were sent with very many comments.
INSERT INTO job (kind, key, args, cursor, created_at)
  SELECT 'reviews.tell', review_id, json_object('reviewId', review_id, 'entryId', entry_id),
    json_object('after', looked_to, 'mentioned', json(mentioned)), CAST(strftime('%s', 'now') AS INTEGER) FROM sent_review ORDER BY review_id;
DROP TABLE sent_review;
