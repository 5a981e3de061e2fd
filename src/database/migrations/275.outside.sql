-- Stored answers of requests that began nothing, which are forgotten with any customer of their merchant.
create index concurrently if not exists idempotency_keys_of_nothing on idempotency_keys (merchant_id) where kind = '';
