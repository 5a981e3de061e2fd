-- A customer's payment methods. It does not begin as the primary key does: without statistics PostgreSQL would take it for that one's look-ups, and read all that a merchant has (decision 11).
create index concurrently if not exists payment_methods_by_customer on payment_methods (customer_id, merchant_id);
