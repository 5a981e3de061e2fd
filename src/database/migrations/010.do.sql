-- Under the old name stands a view of the old shape, for a process of the release before that is still running.
alter table operations drop constraint operations_pkey, add constraint processor_operations_pkey primary key using index processor_operations_by_key;
alter table operations rename to processor_operations;
alter table processor_operations rename column payment_id to object_id;
create view operations as
  select merchant_id, object_id as payment_id, n, verb, purpose, attempt, state, amount, currency, connector, merchant_connector_id, request_id, reference, refund_id, said, began, modified_at, ask_at
  from processor_operations where kind = 'payment';
