-- What one person has asked for and a second one has to agree to.
create table approvals (
  merchant_id text collate "C" not null,
  approval_id text collate "C" not null,
  version int not null,
  status text collate "C" not null,
  operation text collate "C" not null,
  path jsonb not null,
  query jsonb not null,
  body bytea,                                   -- sealed; gone once it is over
  idempotency_key text collate "C" not null,
  scope text collate "C" not null,
  digest text collate "C" not null,
  subject_kind text collate "C" not null,
  subject_id text collate "C" not null,
  profile_id text collate "C",
  currency text collate "C",
  amount bigint,
  total bigint,
  asked_by text collate "C" not null,
  decided_by text collate "C",
  decided_at timestamptz(3),
  reason text,
  result_id text collate "C",
  error_code text collate "C",
  error_message text,
  created timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  due_at timestamptz(3),
  primary key (merchant_id, approval_id)
);
create index approvals_listed on approvals (merchant_id, created desc, approval_id desc);
create index approvals_waiting on approvals (merchant_id, expires_at) where status = 'pending';
create index approvals_due on approvals (due_at) where due_at is not null;
