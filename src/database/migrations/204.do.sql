-- Counters of what payments came to, by the hour and the day (in UTC) of their creation: a row for each kind of
-- payments, and what the kinds are (docs/decisions/0111-analytics.md). `hours`: how long the stretch is, 1 or 24.
create table analytics_kinds (
  merchant_id text collate "C" not null,
  kind bigint not null,
  facets json not null,
  primary key (merchant_id, kind)
);

create table analytics_counts (
  at timestamptz(3) not null,
  kind bigint not null,
  payments bigint not null,
  volume bigint not null,
  authorized bigint not null,
  authorized_amount bigint not null,
  declined bigint not null,
  declined_amount bigint not null,
  captured bigint not null,
  captured_amount bigint not null,
  refunded bigint not null,
  refunded_amount bigint not null,
  disputed bigint not null,
  disputed_amount bigint not null,
  saved bigint not null,
  saved_amount bigint not null,
  held bigint not null,
  held_amount bigint not null,
  processing bigint not null,
  processing_amount bigint not null,
  hours int not null,
  merchant_id text collate "C" not null,
  primary key (merchant_id, hours, at, kind)
) with (fillfactor = 70);

-- How long processors took to answer: how many answers fell into each bucket of a scale.
create table analytics_latencies (
  at timestamptz(3) not null,
  kind bigint not null,
  answers bigint not null,
  hours int not null,
  bucket int not null,
  merchant_id text collate "C" not null,
  primary key (merchant_id, hours, at, kind, bucket)
) with (fillfactor = 70);
