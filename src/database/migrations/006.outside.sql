create index concurrently if not exists idempotency_keys_to_forget on claims (forget_at) where forget_at is not null
