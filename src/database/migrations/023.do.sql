-- What customers pay with again and again. The number is in the vault, under `method` and the id; what may be seen of it is in no history.
create type payment_method_status as enum ('new', 'awaiting_data', 'processing', 'active', 'updated', 'inactive');
create table payment_methods (
  merchant_id text collate "C" not null,
  payment_method_id text collate "C" not null,
  customer_id text collate "C" not null,
  status payment_method_status not null,
  payment_method text collate "C" not null,
  payment_method_type text collate "C",
  fingerprint text collate "C",
  seen json,
  details json not null,
  client_secret text collate "C" not null,
  secret_expires_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  created timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  primary key (merchant_id, payment_method_id)
);
create index payment_methods_of_customer on payment_methods (merchant_id, customer_id);

-- What stands for a saved one in a checkout, for a quarter of an hour.
create table payment_tokens (
  merchant_id text collate "C" not null,
  token text collate "C" not null,
  customer_id text collate "C" not null,
  payment_method_id text collate "C" not null,
  expires_at timestamptz(3) not null,
  primary key (merchant_id, token)
);
create index payment_tokens_due on payment_tokens (expires_at);
create index payment_tokens_of_customer on payment_tokens (merchant_id, customer_id);
