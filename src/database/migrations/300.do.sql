-- Money that others moved at the processor: its operations and refunds say so.
alter type operation_purpose add value if not exists 'external';
alter table refunds add column origin text;

-- Payments whose processor is to be asked about the whole of them: it was silent, or an operation under way may explain
-- what it said.
create table payment_looks (
  merchant_id text collate "C" not null,
  payment_id text collate "C" not null,
  n int not null,
  connector text not null,
  merchant_connector_id text collate "C" not null,
  since timestamptz(3) not null,
  look_at timestamptz(3) not null,
  reports json,                                 -- what a processor said that cannot be asked, as it waits
  primary key (merchant_id, payment_id)
);
create index payment_looks_due on payment_looks (look_at);

-- Connector accounts at whose processor changes are looked for of which no webhook told us.
create table account_watches (
  merchant_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  connector text not null,
  look_at timestamptz(3) not null,
  listed_until timestamptz(3) not null,         -- the processor's list of changes is read until then
  page text,                                    -- the page of the list to read next, of changes until page_until
  page_until timestamptz(3),
  swept_to text collate "C",                    -- the payment after which single payments are asked about next
  payouts_swept_to text collate "C",
  primary key (merchant_id, merchant_connector_id)
);
create index account_watches_due on account_watches (look_at);
insert into account_watches (merchant_id, merchant_connector_id, connector, look_at, listed_until)
  select merchant_id, merchant_connector_id, connector_name, now(), now() from connector_accounts where deleted_at is null;

-- What others moved at the processor, in figures of its own.
alter table analytics_counts
  add column outside bigint not null default 0,
  add column outside_amount bigint not null default 0;
