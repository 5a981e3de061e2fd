-- What merchants hear of and what moved money, by its id, which begins with its time.
create unique index concurrently if not exists changes_told_or_posted on changes (merchant_id, event_id) where announces is not null or posted is not null
