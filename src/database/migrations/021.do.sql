-- Who pays. What is said of a person stands in `personal`, sealed, and so in no history; it is looked for by keyed digests.
create table customers (
  merchant_id text collate "C" not null,
  customer_id text collate "C" not null,
  version int not null,
  personal bytea not null,
  email_digest text collate "C",
  phone_digest text collate "C",
  default_payment_method_id text collate "C",
  redacted_at timestamptz(3),
  created_at timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  primary key (merchant_id, customer_id)
);
create index customers_newest on customers (merchant_id, created_at, customer_id) where redacted_at is null;
create index customers_by_email on customers (merchant_id, email_digest) where email_digest is not null;
create index customers_by_phone on customers (merchant_id, phone_digest) where phone_digest is not null;

-- Who is deleted takes their keys along.
create index ephemeral_keys_of_customer on ephemeral_keys (merchant_id, customer_id);
