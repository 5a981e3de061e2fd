-- The tables that a card payment is written to, with their indexes and the trigger, as the migrations up to 014 had left them at commit
-- 317f86e. Frozen: README.md. Columns and indexes are in PostgreSQL's own order, which decides between plans that it finds equally good.

create type payment_status as enum (
  'requires_payment_method', 'requires_confirmation', 'processing', 'requires_customer_action', 'requires_merchant_action', 'requires_capture',
  'partially_authorized_and_requires_capture', 'partially_captured_and_capturable', 'partially_captured_and_processing', 'partially_captured',
  'succeeded', 'failed', 'cancelled', 'cancelled_post_capture', 'conflicted', 'expired', 'review');
create type payment_busy as enum ('authorize', 'void');
create type operation_verb as enum ('authorize', 'capture', 'void', 'refund');
create type operation_purpose as enum ('merchant', 'reversal');
create type operation_state as enum ('open', 'waiting', 'unknown', 'done', 'declined', 'not_sent', 'not_received', 'conflicted', 'unresolved', 'lapsed');

create table payments (
  merchant_id text collate "C" not null,
  payment_id text collate "C" not null,
  version int not null,
  sequence int not null,
  status payment_status not null,
  busy payment_busy,
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
  card json,
  asked json not null,
  facts json,
  next_action json,
  last_error json,
  cancellation_reason text,
  body_digest text,
  created timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  expires_on timestamptz(3) not null,
  alone int,
  authorization_n int
) with (fillfactor = 60, toast_tuple_target = 8160);

create function payment_totals_hold() returns trigger language plpgsql as $$
begin
  if least(new.amount, new.amount_capturable, new.amount_capturing, new.amount_received, new.amount_refunding, new.amount_refunded, new.amount_disputed,
           new.amount_authorized - new.amount_capturable - new.amount_capturing - new.amount_received,
           new.amount_received - new.amount_refunding - new.amount_refunded - new.amount_disputed) < 0 then
    raise check_violation using message = 'the totals of payment ' || new.payment_id || ' do not hold', constraint = 'payment_totals_hold';
  end if;
  if tg_op = 'INSERT' then
    if new.alone is not null then
      new.busy := 'authorize';
    elsif new.busy is not null then
      new.alone := new.operation_count;
      new.authorization_n := new.operation_count;
    end if;
  elsif new.alone is distinct from old.alone then
    new.busy := case when new.alone is null then null when new.alone = new.authorization_n then 'authorize'::payment_busy else 'void'::payment_busy end;
  elsif new.busy is distinct from old.busy then
    if new.authorization_request_id is distinct from old.authorization_request_id then new.authorization_n := new.operation_count; end if;
    new.alone := case when new.busy is null then null when old.busy = 'void' then new.authorization_n else new.operation_count end;
  end if;
  return new;
end $$;
create trigger payment_totals_hold before insert or update on payments for each row execute function payment_totals_hold();

create index payments_by_time on payments (merchant_id, created, payment_id);
alter table payments add primary key (merchant_id, payment_id);

create table processor_operations (
  merchant_id text collate "C" not null,
  object_id text collate "C" not null,
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
  said json,
  began timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  ask_at timestamptz(3),
  kind text collate "C" not null default 'payment',
  acts_on int,
  constraint nothing_unfinished_without_an_alarm check (case when ask_at is null then state > 'unknown' else state <= 'unknown' or state = 'not_received' end)
);
create index operations_due on processor_operations (ask_at) where ask_at is not null;
alter table processor_operations add primary key (merchant_id, kind, object_id, n);
create unique index operations_of_request on processor_operations (request_id, merchant_id);

create table vault_records (
  merchant_id text collate "C" not null,
  record text collate "C" not null,
  sealed bytea not null,
  created timestamptz(3) not null,
  primary key (merchant_id, record)
);

create table outbox (
  n bigint generated always as identity,
  merchant_id text collate "C" not null,
  kind text not null,
  object_id text collate "C" not null,
  version int not null,
  created timestamptz(3) not null,
  primary key (n, merchant_id)
);

create table changes (
  merchant_id text collate "C" not null,
  object_id text collate "C" not null,
  version int not null,
  sequence int,
  event_id text collate "C" not null,
  type text not null,
  announces text,
  was json not null,
  set json,
  created timestamptz(3) not null,
  kind text collate "C" not null default 'payment',
  by text,
  primary key (merchant_id, object_id, kind, version)
);
