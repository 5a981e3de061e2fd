-- Rows that a readiness check writes, so that a full disk is noticed: each takes a page of its own.
create table write_probes (
  probe_id bigint generated always as identity primary key,
  filler text not null
);
alter table write_probes alter column filler set storage plain;
