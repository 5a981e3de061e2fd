-- What customers brought back from a challenge, for connectors that can only be asked with it.
create table customer_returns (
  merchant_id text collate "C" not null,
  kind text collate "C" not null,
  object_id text collate "C" not null,
  n int not null,
  brought json not null,
  forget_at timestamptz(3) not null,
  primary key (merchant_id, kind, object_id, n)
);
create index customer_returns_to_forget on customer_returns (forget_at);
