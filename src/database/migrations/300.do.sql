-- Money that others moved at the processor: its operations and refunds say so.
alter type operation_purpose add value if not exists 'external';
alter table refunds add column origin text;

-- Payments whose processor is to be asked about the whole of them: it was silent, or an operation under way may explain
-- what it said.
create table payment_looks (
  merchant_id text collate "C" not null,
  payment_id text collate "C" not null,
  n int not null,
  connector text not null,
  merchant_connector_id text collate "C" not null,
  since timestamptz(3) not null,
  look_at timestamptz(3) not null,
  primary key (merchant_id, payment_id)
);
create index payment_looks_due on payment_looks (look_at);
