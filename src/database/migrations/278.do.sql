-- Attempts are counted too, each under its own account, method, network and reason of decline
-- (docs/decisions/0213-of-attempts-and-of-payments.md).
alter table analytics_counts
  add column attempts_authorized bigint not null default 0,
  add column attempts_declined bigint not null default 0;

-- Merchants whose counters are compared with their payments, and counted anew where they differ: all of them after
-- this upgrade, because their attempts were not counted. `upgrade`: the migration; `from_at`: the hour at which the
-- work goes on; `rounds`: how often all hours are still to be compared.
create table analytics_recounts (
  merchant_id text collate "C" not null,
  upgrade text collate "C" not null,
  from_at timestamptz(3) not null,
  rounds int not null,
  work_at timestamptz(3),
  primary key (merchant_id, upgrade)
);
create index analytics_recounts_due on analytics_recounts (work_at) where work_at is not null;
insert into analytics_recounts (merchant_id, upgrade, from_at, rounds, work_at)
  select merchant_id, '278', '1970-01-01T00:00:00Z', 2, '1970-01-01T00:00:00Z' from merchants;
