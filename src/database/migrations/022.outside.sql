-- Answers that were kept about a customer who is deleted are found by this.
create index concurrently if not exists idempotency_keys_of_customers on idempotency_keys (merchant_id, head_id) where kind = 'customer';
