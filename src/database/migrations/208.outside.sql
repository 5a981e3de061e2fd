create index concurrently if not exists payments_of_error_code on payments (merchant_id, (last_error ->> 'error_code'), created, payment_id) where last_error is not null;
