drop index concurrently if exists changes_told
