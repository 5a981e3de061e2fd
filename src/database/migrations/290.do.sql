-- Settlement: reports of processors and statements of the bank, read once, matched and posted.
create table settlement_accounts (
  version int not null,
  lease_until timestamptz(3),
  merchant_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  closed_through text,
  lease_by text,
  primary key (merchant_id, merchant_connector_id)
);

create table settlement_files (
  version int not null,
  size bigint not null,
  created timestamptz(3) not null,
  finished_at timestamptz(3),
  work_at timestamptz(3),
  merchant_id text collate "C" not null,
  file_id text collate "C" not null,
  profile_id text collate "C",
  merchant_connector_id text collate "C" not null,
  name text,
  mode text not null,
  state text not null,
  reader text,
  columns json,
  digest text,
  counts json,
  examples json,
  problem text,
  by text not null,
  primary key (merchant_id, file_id)
);

create table settlement_file_parts (
  n int not null,
  created timestamptz(3) not null,
  merchant_id text collate "C" not null,
  file_id text collate "C" not null,
  sealed bytea not null,
  primary key (merchant_id, file_id, n)
);

create table settlement_lines (
  n int not null,
  at int not null,
  chunk int not null,
  gross bigint not null,
  fee bigint not null,
  net bigint not null,
  original_amount bigint,
  booked_at timestamptz(3),
  paid_at timestamptz(3),
  merchant_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  identity text collate "C" not null,
  file_id text collate "C" not null,
  type text not null,
  currency text collate "C" not null,
  original_currency text,
  rate text,
  request_id text collate "C",
  reference text collate "C",
  object_reference text collate "C",
  payment_reference text collate "C",
  batch text collate "C",
  subject_id text collate "C",
  moved text collate "C",
  posted_by text,
  paid_by text collate "C",
  description text,
  primary key (merchant_id, merchant_connector_id, identity, n)
);

create table settlement_chunks (
  n int not null,
  lines int not null,
  gross bigint not null,
  fee bigint not null,
  net bigint not null,
  posted boolean not null,
  merchant_id text collate "C" not null,
  file_id text collate "C" not null,
  day text collate "C" not null,
  currency text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  settlement_id text collate "C" not null,
  entries json not null,
  primary key (merchant_id, file_id, n, day, currency)
);

create table settlement_batch_parts (
  n int not null,
  lines int not null,
  net bigint not null,
  stated bigint,
  paid_at timestamptz(3),
  merchant_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  batch text collate "C" not null,
  currency text collate "C" not null,
  file_id text collate "C" not null,
  bank_reference text,
  primary key (merchant_id, merchant_connector_id, batch, currency, file_id, n)
);

create table settlement_batches (
  version int not null,
  lines int not null,
  lines_net bigint not null,
  in_transit bigint not null,
  banked bigint not null,
  created timestamptz(3) not null,
  stated bigint,
  paid_at timestamptz(3),
  banked_at timestamptz(3),
  merchant_id text collate "C" not null,
  batch_id text collate "C" not null,
  profile_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  batch text collate "C" not null,
  currency text collate "C" not null,
  bank_reference text,
  bank_entry_id text collate "C",
  primary key (merchant_id, batch_id)
);

create table bank_entries (
  amount bigint not null,
  booked_at timestamptz(3) not null,
  created timestamptz(3) not null,
  merchant_id text collate "C" not null,
  entry_id text collate "C" not null,
  file_id text collate "C" not null,
  currency text collate "C" not null,
  reference text collate "C",
  texts json not null,
  batch_id text collate "C",
  primary key (merchant_id, entry_id)
);

create table settlement_differences (
  version int not null,
  created timestamptz(3) not null,
  at int,
  n int,
  ours bigint,
  theirs bigint,
  fee bigint,
  booked_at timestamptz(3),
  resolved_at timestamptz(3),
  asked_at timestamptz(3),
  posted_gross bigint,
  posted_fee bigint,
  posted_net bigint,
  merchant_id text collate "C" not null,
  difference_id text collate "C" not null,
  profile_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  cause text not null,
  state text not null,
  file_id text collate "C",
  identity text collate "C",
  type text,
  request_id text collate "C",
  reference text collate "C",
  payment_reference text collate "C",
  batch text collate "C",
  subject_id text collate "C",
  moved text collate "C",
  currency text collate "C",
  ours_currency text,
  text text,
  reason text,
  resolved_by text,
  day text collate "C",
  primary key (merchant_id, difference_id)
);

create table settlement_closes (
  created timestamptz(3) not null,
  merchant_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  through text collate "C" not null,
  from_day text,
  figures json not null,
  closed_by text not null,
  primary key (merchant_id, merchant_connector_id, through)
);

create table settlement_references (
  n int not null,
  merchant_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  reference text collate "C" not null,
  kind text collate "C" not null,
  object_id text collate "C" not null,
  primary key (merchant_id, merchant_connector_id, reference, kind, object_id, n)
);

create index settlement_files_by_time on settlement_files (merchant_id, created, file_id);
create index settlement_files_due on settlement_files (work_at) where work_at is not null;
alter table settlement_file_parts alter column sealed set storage external;
create index settlement_file_parts_to_forget on settlement_file_parts (created);
-- What of a payment was settled, and its fees.
create index settlement_lines_of_object on settlement_lines (merchant_id, subject_id) where subject_id is not null;
create index settlement_lines_of_file on settlement_lines (merchant_id, file_id, at);
create index settlement_lines_paid_by on settlement_lines (merchant_id, paid_by) where paid_by is not null;
create index settlement_chunks_unposted on settlement_chunks (merchant_id, merchant_connector_id) where not posted;
create index settlement_batches_of_account on settlement_batches (merchant_id, merchant_connector_id, batch, currency);
create index settlement_batches_not_banked on settlement_batches (merchant_id, currency, in_transit) where banked <> in_transit;
create index bank_entries_by_time on bank_entries (merchant_id, booked_at, entry_id);
create index bank_entries_unmatched on bank_entries (merchant_id, currency, amount) where batch_id is null;
create index settlement_differences_by_time on settlement_differences (merchant_id, created, difference_id);
create index settlement_differences_open on settlement_differences (merchant_id, merchant_connector_id, created, difference_id) where state = 'open';
create index settlement_files_left on settlement_files (merchant_id, merchant_connector_id) where state in ('waiting', 'posting');
create index settlement_batch_parts_of_file on settlement_batch_parts (merchant_id, file_id);
create index settlement_differences_to_ask on settlement_differences (merchant_id, merchant_connector_id, asked_at nulls first)
  where state = 'open';
create index settlement_differences_booked on settlement_differences (merchant_id, merchant_connector_id, day) where day is not null;

-- Of which file and of which day of the books: null for whole files that earlier releases posted.
alter table settlements add column file_id text collate "C", add column day text collate "C";
