-- The client_secret of a payment method has not its id in it, and opens the list of what can be saved.
create index concurrently if not exists payment_methods_by_secret on payment_methods (merchant_id, client_secret);
