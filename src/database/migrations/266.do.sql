-- What processors call customers: made there before money, and used again by later payments at the same account.
create table processor_customers (
  merchant_id text collate "C" not null,
  customer_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  reference text collate "C" not null,
  modified_at timestamptz(3) not null,
  primary key (merchant_id, customer_id, merchant_connector_id)
);
