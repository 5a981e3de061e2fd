create unique index concurrently if not exists processor_operations_by_key on operations (merchant_id, kind, payment_id, n)
