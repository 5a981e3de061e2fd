-- What merchants hear of, by its id, which begins with its time.
create unique index concurrently if not exists changes_told on changes (merchant_id, event_id) where announces is not null
