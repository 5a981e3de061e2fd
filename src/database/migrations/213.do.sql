-- Sample data of test mode: payments that are made a part at a time (docs/decisions/0112-sample-data.md).
create table sample_data_jobs (
  merchant_id text collate "C" not null,
  job_id text collate "C" not null,
  version int not null,
  status text collate "C" not null check (status in ('initiated', 'processing', 'completed')),
  payments int not null,
  days int not null,
  made int not null,
  refused int not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  work_at timestamptz(3),
  primary key (merchant_id, job_id)
);
create index sample_data_jobs_due on sample_data_jobs (work_at) where work_at is not null;
