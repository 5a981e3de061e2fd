-- What processors owe, of accounts that are too large to be counted for each request.
create table settlement_ageings (
  count_at timestamptz(3),                      -- a job counts it then
  merchant_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  counted json,
  counting json,                                -- what it has counted of it by now
  primary key (merchant_id, merchant_connector_id)
);
create index settlement_ageings_due on settlement_ageings (count_at) where count_at is not null;
