-- Holds whose processor is asked, once their time is over, whether they have run out.
create table hold_ends (
  merchant_id text collate "C" not null,
  payment_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  connector text collate "C" not null,
  ask_at timestamptz(3) not null,
  primary key (merchant_id, payment_id)
);
create index hold_ends_due on hold_ends (ask_at);
