-- How payments are routed: what merchants wrote down, what of it holds for a profile, and, on each authorization, what was decided and why.
create table routing_algorithms (
  merchant_id text collate "C" not null,
  algorithm_id text collate "C" not null,
  version int not null,
  profile_id text collate "C" not null,
  name text not null,
  description text not null,
  algorithm_kind text not null,
  algorithm_for text not null,
  algorithm jsonb not null,
  created timestamptz(3) not null
);
create index routing_algorithms_by_time on routing_algorithms (merchant_id, created, algorithm_id);
alter table routing_algorithms add primary key (merchant_id, algorithm_id);

create table profile_routing (
  merchant_id text collate "C" not null,
  profile_id text collate "C" not null,
  version int not null,
  payment_algorithm text collate "C",
  fallback jsonb not null,
  success_based jsonb,
  elimination jsonb,
  dynamic_share int not null,
  modified_at timestamptz(3) not null,
  primary key (merchant_id, profile_id)
);

alter table processor_operations add column routing json;
