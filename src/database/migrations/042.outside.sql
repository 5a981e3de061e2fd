-- The client_secret of a payment method, for the same reason.
create index concurrently if not exists payment_methods_of_secret on payment_methods (client_secret, merchant_id);
