-- What was said to processors and what they answered: redacted before it is written, and sealed.
create table exchanges (
  merchant_id text collate "C" not null,
  object_id text collate "C" not null,
  request_id text collate "C" not null,
  exchange_id text collate "C" not null,
  kind text collate "C" not null,
  n int not null,
  sealed bytea not null,
  created timestamptz(3) not null,
  forget_at timestamptz(3) not null,
  primary key (merchant_id, object_id, request_id, exchange_id)
);
create index exchanges_to_forget on exchanges (forget_at);
