-- What a sink of events is still to be told, and which process tells it (docs/decisions/0066-sinks.md).
create table sink_queue (
  n bigint generated always as identity,
  merchant_id text collate "C" not null,
  kind text not null,
  object_id text collate "C" not null,
  version int not null,
  created timestamptz(3) not null,
  primary key (n, merchant_id)
);
create table sink_leases (
  sink text collate "C" primary key,
  holder text not null,
  until timestamptz(3) not null
);
