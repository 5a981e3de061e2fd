-- What was sent of events, kept in files outside the database once it is forgotten here: which files there are.
create table archive_parts (
  merchant_id text collate "C" not null,
  day text collate "C" not null,
  part text collate "C" not null,
  first_id text collate "C" not null,
  last_id text collate "C" not null,
  events int not null,
  created timestamptz(3) not null,
  primary key (merchant_id, day, part)
);
-- The keys that what is said there of a customer is sealed with; of those without a customer under ''.
create table archive_keys (
  merchant_id text collate "C" not null,
  customer_id text collate "C" not null,
  sealed bytea not null,
  primary key (merchant_id, customer_id)
);
