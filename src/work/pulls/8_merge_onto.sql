-- What a merged one was merged onto: between this and merge_oid lies all that it brought. NULL for those merged elsewhere, or before this was kept.
ALTER TABLE pull ADD COLUMN merge_onto TEXT;
