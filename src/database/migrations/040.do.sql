-- Settlement files of processors that were posted to the ledger.
create table settlements (
  merchant_id text collate "C" not null,
  settlement_id text collate "C" not null,
  version int not null,
  profile_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  currency text collate "C" not null,
  lines int not null,
  gross bigint not null,
  fee bigint not null,
  net bigint not null,
  created timestamptz(3) not null,
  primary key (merchant_id, settlement_id)
);
