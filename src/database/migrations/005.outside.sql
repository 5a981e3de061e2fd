create unique index concurrently if not exists changes_by_key on events (merchant_id, payment_id, kind, version)
