-- Settlement reports that are fetched from processors: per account whether and when, and each report once.
create table settlement_fetches (
  version int not null,
  merchant_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  profile_id text collate "C" not null,
  connector text not null,
  fetching text not null,
  from_time timestamptz(3) not null,
  fetch_at timestamptz(3),                      -- when the processor is asked next
  listed_until timestamptz(3) not null,         -- reports that were made until then are listed
  page text,                                    -- the page of the list to read next
  failures int not null,
  problem text,
  fetched_at timestamptz(3),                    -- when the processor was last asked without a problem
  primary key (merchant_id, merchant_connector_id)
);
create index settlement_fetches_due on settlement_fetches (fetch_at) where fetch_at is not null;

create table settlement_reports (
  created timestamptz(3) not null,
  merchant_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  report text collate "C" not null,             -- the processor's id of it
  name text not null,
  state text not null,
  file_id text collate "C",
  primary key (merchant_id, merchant_connector_id, report)
);
create index settlement_reports_listed on settlement_reports (merchant_id, merchant_connector_id, created) where state = 'listed';
