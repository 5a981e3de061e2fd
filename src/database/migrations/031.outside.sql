-- The payments of a customer, who may want to be forgotten.
create index concurrently if not exists payments_of_customer on payments (merchant_id, customer_id, payment_id) where customer_id is not null;
