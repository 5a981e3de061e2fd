-- Who the merchants are. Administrative rows: small, few, cached by every process (see settings_version).

create table settings_version (one boolean primary key default true check (one), version bigint not null);
insert into settings_version (version) values (1);

create table merchants (
  merchant_id text collate "C" primary key,
  organization_id text collate "C" not null,
  publishable_key text collate "C" not null unique,
  default_profile text collate "C",
  details jsonb not null,
  created timestamptz(3) not null,
  modified_at timestamptz(3) not null
);

create table profiles (
  merchant_id text collate "C" not null,
  profile_id text collate "C" not null,
  profile_name text not null,
  details jsonb not null,
  created timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  primary key (merchant_id, profile_id),
  unique (merchant_id, profile_name)
);

create table api_keys (
  merchant_id text collate "C" not null,
  key_id text collate "C" not null,
  digest text collate "C" not null unique,      -- keyed; the key itself is stored nowhere
  prefix text not null,
  name text not null,
  description text,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  created timestamptz(3) not null,
  primary key (merchant_id, key_id)
);

create table connector_accounts (
  merchant_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  profile_id text collate "C" not null,
  connector_type text not null,
  connector_name text not null,
  connector_label text not null,
  disabled boolean not null,
  sealed bytea not null,                        -- credentials and webhook secrets
  details jsonb not null,
  created timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  primary key (merchant_id, merchant_connector_id),
  unique (merchant_id, profile_id, connector_label)
);

-- Money. Every key begins with the merchant; no foreign keys on these tables; few indexes. The payment row carries its own totals, pending
-- ones included, so that every amount guard is a comparison of columns of that row.

-- Words are types of their own: as cheap as numbers to check. (A CHECK with a list of words is parsed anew in every statement.)
create type payment_status as enum (
  'requires_payment_method', 'requires_confirmation', 'processing', 'requires_customer_action', 'requires_merchant_action', 'requires_capture',
  'partially_authorized_and_requires_capture', 'partially_captured_and_capturable', 'partially_captured_and_processing', 'partially_captured',
  'succeeded', 'failed', 'cancelled', 'cancelled_post_capture', 'conflicted', 'expired', 'review');
create type payment_busy as enum ('authorize', 'void');
create type operation_verb as enum ('authorize', 'capture', 'void', 'refund');
create type operation_purpose as enum ('merchant', 'reversal');
-- In this order: the first three are unfinished (see the check on operations).
create type operation_state as enum ('open', 'waiting', 'unknown', 'done', 'declined', 'not_sent', 'not_received', 'conflicted', 'unresolved', 'lapsed');
create type refund_status as enum ('pending', 'succeeded', 'failed', 'review');

create table payments (
  merchant_id text collate "C" not null,
  payment_id text collate "C" not null,
  version int not null,                         -- counts every change
  sequence int not null,                        -- counts those that merchants hear of
  status payment_status not null,
  busy payment_busy,                            -- authorize and void need the payment alone
  profile_id text collate "C" not null,
  connector text,
  merchant_connector_id text collate "C",
  connector_transaction_id text collate "C",
  authorization_request_id text collate "C",
  customer_id text collate "C",
  currency text not null,
  amount bigint not null,
  net_amount bigint not null,
  amount_authorized bigint not null,
  amount_capturable bigint not null,
  amount_capturing bigint not null,
  amount_received bigint not null,
  amount_refunding bigint not null,
  amount_refunded bigint not null,
  amount_disputed bigint not null,
  capture_method text not null,
  authentication_type text not null,
  attempt_count int not null,
  operation_count int not null,
  refund_count int not null,
  client_secret text collate "C" not null,
  card jsonb,                                   -- masked: never a number
  asked jsonb not null,                         -- the rest of the request
  facts jsonb,                                  -- what the processor told
  next_action jsonb,
  last_error jsonb,
  cancellation_reason text,
  body_digest text,                             -- of a create that named its payment_id
  created timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  expires_on timestamptz(3) not null
) with (fillfactor = 60, toast_tuple_target = 8160);  -- a row of 3 kB stays in one piece, uncompressed

-- The last line behind the guards in the code: no amount is negative, what is captured (or may be, or is being) was authorized, what is given back was captured.
-- A trigger and not CHECK constraints: PostgreSQL reads those anew from their text in every statement, which cost 150 microseconds a payment; this costs 13.
create function payment_totals_hold() returns trigger language plpgsql as $$
begin
  if least(new.amount, new.amount_capturable, new.amount_capturing, new.amount_received, new.amount_refunding, new.amount_refunded, new.amount_disputed,
           new.amount_authorized - new.amount_capturable - new.amount_capturing - new.amount_received,
           new.amount_received - new.amount_refunding - new.amount_refunded - new.amount_disputed) < 0 then
    raise check_violation using message = 'the totals of payment ' || new.payment_id || ' do not hold', constraint = 'payment_totals_hold';
  end if;
  return new;
end $$;
create trigger payment_totals_hold before insert or update on payments for each row execute function payment_totals_hold();

-- The primary key is made last: while PostgreSQL has no statistics it finds several indexes that begin with the merchant equally good and takes the newest, and any but the primary key
-- would then be read through for a single payment. A test holds every look-up to its primary key.
create index payments_by_time on payments (merchant_id, created, payment_id);
alter table payments add primary key (merchant_id, payment_id);

create table operations (
  merchant_id text collate "C" not null,
  payment_id text collate "C" not null,
  n int not null,
  verb operation_verb not null,
  purpose operation_purpose not null,
  attempt int not null,
  state operation_state not null,
  amount bigint not null,
  currency text not null,
  connector text not null,
  merchant_connector_id text collate "C" not null,
  request_id text collate "C" not null,
  reference text collate "C",
  refund_id text collate "C",
  said jsonb,
  began timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  ask_at timestamptz(3),
  primary key (merchant_id, payment_id, n),
  constraint nothing_unfinished_without_an_alarm check ((state <= 'unknown') = (ask_at is not null))
);

create unique index operations_by_request on operations (request_id);
create index operations_due on operations (ask_at) where ask_at is not null;

create table refunds (
  merchant_id text collate "C" not null,
  refund_id text collate "C" not null,
  payment_id text collate "C" not null,
  n int not null,
  status refund_status not null,
  amount bigint not null,
  currency text not null,
  reason text,
  refund_type text not null,
  metadata jsonb,
  profile_id text collate "C" not null,
  connector text not null,
  merchant_connector_id text collate "C" not null,
  connector_refund_id text collate "C",
  arn text,
  last_error jsonb,
  body_digest text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

create index refunds_by_payment on refunds (merchant_id, payment_id, n);  -- in the order in which they are read, so that it is never a tie
alter table refunds add primary key (merchant_id, refund_id);

-- One row per version of a payment: the body for version v is the row minus the later `was`.
create table events (
  merchant_id text collate "C" not null,
  payment_id text collate "C" not null,
  version int not null,
  sequence int,
  event_id text collate "C" not null,
  type text not null,
  announces text,
  was jsonb not null,
  set jsonb not null,
  created timestamptz(3) not null,
  xact xid8 not null default pg_current_xact_id(),
  primary key (merchant_id, payment_id, version)
);

-- Idempotency keys. status is null while the first request runs (or was cut off by a crash).
create table claims (
  merchant_id text collate "C" not null,
  key text collate "C" not null,
  scope text not null,
  digest text not null,
  token text not null,
  payment_id text collate "C" not null,
  object_id text collate "C" not null,         -- what the answer shows: the payment, or the refund that the change made
  version int not null,
  event_id text not null,
  claimed_at timestamptz(3) not null,
  status int,
  answer bytea,                                 -- sealed: it may hold what is shown once
  primary key (merchant_id, key)
);

-- Card numbers, encrypted; and security codes that wait for a confirm, at most 15 minutes.
create table vault_records (
  merchant_id text collate "C" not null,
  record text collate "C" not null,
  sealed bytea not null,
  created timestamptz(3) not null,
  primary key (merchant_id, record)
);

create table waiting_cvcs (
  merchant_id text collate "C" not null,
  payment_id text collate "C" not null,
  sealed bytea not null,
  expires_at timestamptz(3) not null,
  primary key (merchant_id, payment_id)
);
create index waiting_cvcs_due on waiting_cvcs (expires_at);
