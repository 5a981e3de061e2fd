-- Where streams find what was written long after its event was named (docs/decisions/0067-late-commits.md).
create table late_events (
  merchant_id text collate "C" not null,
  place text collate "C" not null,
  event_id text collate "C" not null,
  primary key (merchant_id, place)
);
