-- Holds that are captured by themselves, and when. A row is made with the hold, and deleted by whatever begins the capture, or finds that there is none to make.
create table scheduled_captures (
  merchant_id text collate "C" not null,
  payment_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  connector text collate "C" not null,
  capture_at timestamptz(3) not null,
  primary key (merchant_id, payment_id)
);
create index scheduled_captures_due on scheduled_captures (capture_at);
