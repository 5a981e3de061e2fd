-- The history of any versioned row: `events` becomes `changes`. Under the old names stand views of the old shape, so that a process of the release before, which is still running, writes and reads on.
alter table events add column kind text collate "C" not null default 'payment', add column by text;
alter table events alter column set drop not null, drop column xact;

alter table claims add column kind text not null default 'payment', add column head_merchant text collate "C", add column forget_at timestamptz(3);

alter table merchants add column version int not null default 1;
alter table profiles add column version int not null default 1;
alter table api_keys add column version int not null default 1;
alter table connector_accounts add column version int not null default 1;

-- Told in the order of n, and deleted.
create table outbox (
  n bigint generated always as identity,
  merchant_id text collate "C" not null,
  kind text not null,
  object_id text collate "C" not null,
  version int not null,
  created timestamptz(3) not null,
  primary key (n, merchant_id)
);
