-- Refunds that are sent after their answer. A row is made with the refund, and deleted by whatever begins it.
create table scheduled_refunds (
  merchant_id text collate "C" not null,
  refund_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  connector text collate "C" not null,
  refund_at timestamptz(3) not null,
  primary key (merchant_id, refund_id)
);
create index scheduled_refunds_due on scheduled_refunds (refund_at);
