-- What somebody is at work on by the clock, from its beginning to its end: what was begun and not ended is tried again, and isolated when that never helps.
create table jobs (
  merchant_id text collate "C" not null,
  kind text collate "C" not null,
  job text collate "C" not null,
  job_id text collate "C" not null,
  tries int not null,
  deaths int not null,
  reason text,
  since timestamptz(3) not null,
  begun_at timestamptz(3),
  isolated_at timestamptz(3),
  primary key (merchant_id, kind, job)
);
create index jobs_by_id on jobs (job_id);
