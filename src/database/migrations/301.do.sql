-- Accounts whose differences with their processor's reports are asked about and matched again.
create table settlement_looks (
  merchant_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  connector text not null,
  look_at timestamptz(3) not null,
  checked_from text collate "C",                -- late movements are found from this day on
  checked_to text collate "C",                  -- to this event
  primary key (merchant_id, merchant_connector_id)
);
create index settlement_looks_due on settlement_looks (look_at);
insert into settlement_looks (merchant_id, merchant_connector_id, connector, look_at)
  select merchant_id, merchant_connector_id, connector_name, now() from connector_accounts
    join settlement_accounts using (merchant_id, merchant_connector_id);
