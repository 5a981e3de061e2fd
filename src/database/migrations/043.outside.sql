-- A customer's tokens, for the same reason.
create index concurrently if not exists payment_tokens_by_customer on payment_tokens (customer_id, merchant_id);
