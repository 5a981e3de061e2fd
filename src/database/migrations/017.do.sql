-- Who may not pay: parts of card numbers, and cards by their fingerprints. A name is `data_kind` and what is blocked; what is blocked no more stays, for its history.
create table blocklist_entries (
  merchant_id text collate "C" not null,
  entry_id text collate "C" not null,
  version int not null,
  data_kind text collate "C" not null check (data_kind in ('payment_method', 'card_bin', 'extended_card_bin')),
  fingerprint_id text collate "C" not null,
  metadata json,
  deleted boolean not null,
  created_at timestamptz(3) not null
);
create index blocklist_entries_by_time on blocklist_entries (merchant_id, data_kind, created_at, entry_id) where not deleted;
alter table blocklist_entries add primary key (merchant_id, entry_id);

-- Is it looked at? Kept in memory with its merchant: a payment of any other asks nothing.
alter table merchants add column blocklist_guard boolean not null default false;

-- Whole files of them, worked through a part at a time.
create table blocklist_batches (
  merchant_id text collate "C" not null,
  job_id text collate "C" not null,
  version int not null,
  status text collate "C" not null check (status in ('initiated', 'processing', 'completed', 'failed')),
  total_rows int not null,
  succeeded_rows int not null,
  failed_rows int not null,
  entries json,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  work_at timestamptz(3)
);
create index blocklist_batches_by_time on blocklist_batches (merchant_id, created_at, job_id);
create index blocklist_batches_due on blocklist_batches (work_at) where work_at is not null;
alter table blocklist_batches add primary key (merchant_id, job_id);

-- Against card testing: each confirmation from a browser that a processor declined, once under everything by which such are counted. What succeeds writes nothing.
create table failed_confirms (
  merchant_id text collate "C" not null,
  counted text collate "C" not null,
  payment_id text collate "C" not null,
  n int not null,
  failed_at timestamptz(3) not null,
  primary key (merchant_id, counted, payment_id, n)
);
create index failed_confirms_due on failed_confirms (failed_at);

-- From where a browser confirmed (of IPv6 its /64), while its failures are counted.
alter table processor_operations add column client_network text;
