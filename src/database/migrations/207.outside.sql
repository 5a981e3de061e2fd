create index concurrently if not exists payments_of_unified_code on payments (merchant_id, (last_error ->> 'unified_code'), created, payment_id) where last_error is not null;
