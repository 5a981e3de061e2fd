-- Payouts: money that goes from the merchant to somebody. What is asked of processors for them stands with all other operations.
create type payout_status as enum (
  'requires_payout_method_data', 'requires_confirmation', 'requires_fulfillment', 'pending', 'initiated',
  'success', 'failed', 'cancelled', 'expired', 'ineligible', 'reversed'
);
create table payouts (
  merchant_id text collate "C" not null,
  payout_id text collate "C" not null,
  version int not null,
  sequence int not null,
  status payout_status not null,
  alone int,
  profile_id text collate "C" not null,
  connector text collate "C",
  merchant_connector_id text collate "C",
  connector_transaction_id text collate "C",
  payout_n int,
  customer_id text collate "C",
  currency text collate "C" not null,
  amount bigint not null check (amount >= 0),
  payout_type text collate "C",
  entity_type text collate "C" not null,
  merchant_order_reference_id text collate "C",
  auto_fulfill boolean not null,
  recurring boolean not null,
  payout_method_id text collate "C",
  attempt_count int not null,
  operation_count int not null,
  client_secret text collate "C" not null,
  recipient json,
  asked json not null,
  last_error json,
  body_digest text collate "C",
  created timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  expires_on timestamptz(3) not null,
  expire_at timestamptz(3),
  primary key (merchant_id, payout_id)
);
create index payouts_latest on payouts (merchant_id, created desc, payout_id desc);
create index payouts_of_customer on payouts (merchant_id, customer_id, payout_id) where customer_id is not null;
create index payouts_expiring on payouts (expire_at) where expire_at is not null;
