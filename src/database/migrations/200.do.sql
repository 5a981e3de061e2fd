-- The schema of 0.2.0, in one piece; what changes it afterwards are the migrations that follow it
-- (docs/decisions/0019-migrations.md, 0096-the-first-release.md).
--
-- Keys begin with the merchant. The primary key is made last where another index begins with the merchant too: while
-- PostgreSQL has no statistics it finds several such indexes equally good and takes the newest, and any but the
-- primary key would then be read through for a single row. A test holds every look-up to its primary key.
--
-- In the tables that a payment writes, columns of a fixed width stand first: no row is padded between them, and they
-- are found without reading the texts before them.
--
-- Words are enum types: a CHECK with a list of words is parsed anew in every statement. JSON that is only kept and
-- given back is json, as it was written: jsonb takes it apart and sorts its members.

-- Who the merchants are. Administrative rows: small, few, kept in memory by every process (settings_version).

-- Test or live is a property of the database from its first start (docs/decisions/0076-outgoing-calls.md).
create table settings_version (
  one boolean primary key default true check (one),
  version bigint not null,
  mode text check (mode in ('test', 'live'))
);
insert into settings_version (version) values (1);

-- Who changed, by the count that the change brought settings_version to: so a process forgets only those. The last
-- thousand; a count of which it does not say who makes every process forget everything.
create table settings_changes (version bigint primary key, merchant_id text collate "C" not null);

create table organizations (
  organization_id text collate "C" primary key,
  version int not null,
  organization_name text,
  details jsonb not null,
  created_at timestamptz(3) not null,
  modified_at timestamptz(3) not null
);

-- Deletes are soft: what was begun goes on through what was deleted. A name may be given again.
create table merchants (
  merchant_id text collate "C" primary key,
  version int not null,
  organization_id text collate "C" not null,
  publishable_key text collate "C" not null unique,
  default_profile text collate "C",
  blocklist_guard boolean not null,             -- is the blocklist looked at? a payment of any other asks nothing
  details jsonb not null,
  created timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
create index merchants_by_organization on merchants (organization_id, created, merchant_id);
-- An organization has one platform account at most, also if two are created at once.
create unique index merchants_one_platform on merchants (organization_id) where details ->> 'merchant_account_type' = 'platform';

create table profiles (
  merchant_id text collate "C" not null,
  profile_id text collate "C" not null,
  version int not null,
  profile_name text not null,
  details jsonb not null,
  created timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
create unique index profiles_by_name on profiles (merchant_id, profile_name) where deleted_at is null;
alter table profiles add primary key (merchant_id, profile_id);

create table api_keys (
  merchant_id text collate "C" not null,
  key_id text collate "C" not null,
  version int not null,
  digest text collate "C" not null unique,      -- keyed; the key itself is stored nowhere
  prefix text not null,
  name text not null,
  description text,
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  created timestamptz(3) not null,
  primary key (merchant_id, key_id)
);

-- When a key was last used, by the minute: written by each process for all of its keys at once, so not in the history.
create table api_key_uses (
  merchant_id text collate "C" not null,
  key_id text collate "C" not null,
  last_used_at timestamptz(3) not null,
  primary key (merchant_id, key_id)
);

-- Keys for a customer's own browser, for an hour. Read at each use: one that is deleted is dead at once.
create table ephemeral_keys (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  digest text collate "C" not null unique,
  customer_id text collate "C" not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index ephemeral_keys_due on ephemeral_keys (expires_at);
-- Who is deleted takes their keys along.
create index ephemeral_keys_of_customer on ephemeral_keys (merchant_id, customer_id);
alter table ephemeral_keys add primary key (merchant_id, id);

create table connector_accounts (
  merchant_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  version int not null,
  profile_id text collate "C" not null,
  connector_type text not null,
  connector_name text not null,
  connector_label text not null,
  disabled boolean not null,
  sealed bytea not null,                        -- credentials and webhook secrets
  details jsonb not null,
  created timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
create unique index connector_accounts_by_label on connector_accounts (merchant_id, profile_id, connector_label) where deleted_at is null;
alter table connector_accounts add primary key (merchant_id, merchant_connector_id);

-- What the deployment makes of what processors say (contract 6.6, "GSM"): unified codes, and whether another connector
-- is tried. Of no merchant: merchant_id is '@deployment', which no merchant can be called.
create table gsm_rules (
  merchant_id text collate "C" not null,
  rule_id text collate "C" not null,
  version int not null,
  connector text collate "C" not null,
  flow text collate "C" not null,
  sub_flow text collate "C" not null,
  code text collate "C" not null,
  message text collate "C" not null,
  status text not null,
  router_error text,
  decision text collate "C" not null check (decision in ('retry', 'do_default')),
  step_up_possible boolean not null,
  clear_pan_possible boolean not null,
  alternate_network_possible boolean not null,
  unified_code text,
  unified_message text,
  error_category text collate "C",
  standardised_code text collate "C",
  description text,
  user_guidance_message text,
  deleted boolean not null,
  created timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  primary key (merchant_id, rule_id)
);

-- A starting set, for the sandbox's processor. It is the operator's from here on.
insert into gsm_rules
  (merchant_id, rule_id, version, connector, flow, sub_flow, code, message, status, router_error, decision, step_up_possible, clear_pan_possible,
   alternate_network_possible, unified_code, unified_message, error_category, standardised_code, description, user_guidance_message, deleted, created, modified_at)
select '@deployment', encode(sha256(convert_to(array_to_json(array['phonypay', 'Payment', 'Authorize', code, message])::text, 'UTF8')), 'hex'), 1,
  'phonypay', 'Payment', 'Authorize', code, message, 'Failure', null, decision, step_up, false, false, family, words, category, standardised, null, guidance, false,
  '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'
from (values
  ('card_declined', 'The card was declined.', 'retry', false, 'UE_1000', 'The payment method was refused. Try another one, or contact its issuer.', 'soft_decline', 'do_not_honor',
    'Try another card, or ask your bank.'),
  ('processing_error', 'The issuer could not process the card.', 'retry', false, 'UE_3000', 'The processor had a technical problem. Try again later.', 'processor_downtime', 'issuer_unavailable',
    'Try again in a moment.'),
  ('insufficient_funds', 'The card has insufficient funds.', 'do_default', false, 'UE_1000', 'The payment method was refused. Try another one, or contact its issuer.', 'soft_decline', 'insufficient_funds',
    'Pay with another card.'),
  ('lost_card', 'The card was reported lost.', 'do_default', false, 'UE_1000', 'The payment method was refused. Try another one, or contact its issuer.', 'hard_decline', 'card_lost_or_stolen',
    'Pay with another card.'),
  ('stolen_card', 'The card was reported stolen.', 'do_default', false, 'UE_1000', 'The payment method was refused. Try another one, or contact its issuer.', 'hard_decline', 'card_lost_or_stolen',
    'Pay with another card.'),
  ('expired_card', 'The card has expired.', 'do_default', false, 'UE_1000', 'The payment method was refused. Try another one, or contact its issuer.', 'issue_with_payment_method', 'invalid_expiry_date',
    'Check the expiry date, or pay with another card.'),
  ('incorrect_cvc', 'The security code is incorrect.', 'do_default', false, 'UE_1000', 'The payment method was refused. Try another one, or contact its issuer.', 'issue_with_payment_method', 'invalid_cvv',
    'Check the security code.'),
  ('authentication_required', 'The issuer asks for 3-D Secure.', 'do_default', true, 'UE_1000', 'The payment method was refused. Try another one, or contact its issuer.', 'issue_with_payment_method',
    'authentication_required', 'Confirm the payment with your bank.'),
  ('authentication_failed', 'The shopper did not pass 3-D Secure.', 'do_default', false, 'UE_1000', 'The payment method was refused. Try another one, or contact its issuer.', 'issue_with_payment_method',
    'authentication_failed', 'Try again, or pay with another card.')
) as rules (code, message, decision, step_up, family, words, category, standardised, guidance);

-- How payments are routed: what merchants wrote down, and what of it holds for a profile.
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
  payout_algorithm text collate "C",
  fallback jsonb not null,
  payout_fallback jsonb not null,
  success_based jsonb,
  elimination jsonb,
  contract_based jsonb,
  dynamic_share int not null,
  modified_at timestamptz(3) not null,
  primary key (merchant_id, profile_id)
);

-- Payments that others make, and of which we were asked who should get them: what they are counted by, and what was
-- said to have become of them at whom.
create table external_payments (
  merchant_id text collate "C" not null,
  payment_id text collate "C" not null,
  profile_id text collate "C" not null,
  cell jsonb not null,
  outcomes jsonb not null,
  created timestamptz(3) not null
);
create index external_payments_to_forget on external_payments (created);
create index external_payments_of_profile on external_payments (merchant_id, profile_id, created);
alter table external_payments add primary key (merchant_id, payment_id);

-- Money. No foreign keys on these tables, and few indexes. The payment's row carries its own totals, pending ones
-- included, so that every amount guard is a comparison of columns of that row.

create type payment_status as enum (
  'requires_payment_method', 'requires_confirmation', 'processing', 'requires_customer_action', 'requires_merchant_action', 'requires_capture',
  'partially_authorized_and_requires_capture', 'partially_captured_and_capturable', 'partially_captured_and_processing', 'partially_captured',
  'succeeded', 'failed', 'cancelled', 'cancelled_post_capture', 'conflicted', 'expired', 'review');
create type operation_verb as enum (
  'authorize', 'capture', 'void', 'refund', 'increment', 'extend', 'post_capture_void', 'payout', 'cancel_payout', 'accept_dispute', 'contest_dispute',
  'authenticate');
create type operation_purpose as enum ('merchant', 'reversal');
-- In this order: the first three are unfinished (see the check on processor_operations).
create type operation_state as enum ('open', 'waiting', 'unknown', 'done', 'declined', 'not_sent', 'not_received', 'conflicted', 'unresolved', 'lapsed');
create type refund_status as enum ('pending', 'succeeded', 'failed', 'review');

-- What hardly ever changes stands first and last, and what a move changes between: of an update that stays in its
-- page, the log holds nothing that both versions begin or end with. For that, pages have room, and a row of 3 kB stays
-- in one piece, uncompressed (docs/decisions/0104-what-a-payment-writes.md).
create table payments (
  amount bigint not null,
  net_amount bigint not null,
  amount_capturable bigint not null,
  amount_capturing bigint not null,
  amount_refunding bigint not null,
  amount_refunded bigint not null,
  amount_disputed bigint not null,
  created timestamptz(3) not null,
  expires_on timestamptz(3) not null,
  attempt_count int not null,
  operation_count int not null,
  refund_count int not null,
  authorization_n int,
  merchant_id text collate "C" not null,
  payment_id text collate "C" not null,
  profile_id text collate "C" not null,
  customer_id text collate "C",
  currency text not null,
  capture_method text not null,
  authentication_type text not null,
  client_secret text collate "C" not null,
  body_digest text,                             -- of a create that named its payment_id
  connector text,
  merchant_connector_id text collate "C",
  authorization_request_id text collate "C",
  amount_authorized bigint not null,
  amount_received bigint not null,
  modified_at timestamptz(3) not null,
  version int not null,                         -- counts every change
  sequence int not null,                        -- counts those that merchants hear of
  status payment_status not null,
  alone int,                                    -- the operation that needs the payment for itself
  connector_transaction_id text collate "C",
  facts json,                                   -- what the processor told
  next_action json,
  last_error json,
  adjustments json,                             -- increments, extensions, a cancel after the capture: null for most
  cancellation_reason text,
  card json,                                    -- masked: never a number
  request json not null                           -- the rest of the request
) with (fillfactor = 60, toast_tuple_target = 8160);

-- The last line behind the guards in the code: no amount is negative, what is captured (or may be, or is being) was
-- authorized, what is given back was captured. What was refunded may be disputed all the same, and then more is gone
-- than was captured; what holds is that no refund begins beyond what disputes have left.
-- A trigger and not CHECK constraints: PostgreSQL reads those anew from their text in every statement, which cost 150
-- microseconds a payment; this costs 13.
create function payment_totals_hold() returns trigger language plpgsql as $$
begin
  if least(new.amount, new.amount_capturable, new.amount_capturing, new.amount_received, new.amount_refunding, new.amount_refunded, new.amount_disputed,
           new.amount_authorized - new.amount_capturable - new.amount_capturing - new.amount_received,
           new.amount_received - new.amount_refunding - new.amount_refunded) < 0
     or (tg_op = 'UPDATE' and new.amount_refunding + new.amount_refunded > old.amount_refunding + old.amount_refunded
         and new.amount_received - new.amount_refunding - new.amount_refunded - new.amount_disputed < 0) then
    raise check_violation using message = 'the totals of payment ' || new.payment_id || ' do not hold', constraint = 'payment_totals_hold';
  end if;
  return new;
end $$;
create trigger payment_totals_hold before insert or update on payments for each row execute function payment_totals_hold();

create index payments_by_time on payments (merchant_id, created, payment_id);
-- The payments of a customer, who may want to be forgotten.
create index payments_of_customer on payments (merchant_id, customer_id, payment_id) where customer_id is not null;
alter table payments add primary key (merchant_id, payment_id);

-- What is asked of processors. It belongs to a payment or to another aggregate with operations, and names the
-- authorization it acts on (null: the payment's own).
create table processor_operations (
  amount bigint not null,
  began timestamptz(3) not null,
  n int not null,
  verb operation_verb not null,
  purpose operation_purpose not null,
  attempt int not null,
  acts_on int,
  merchant_id text collate "C" not null,
  kind text collate "C" not null,
  object_id text collate "C" not null,
  currency text not null,
  connector text not null,
  merchant_connector_id text collate "C" not null,
  request_id text collate "C" not null,
  refund_id text collate "C",
  client_network text,                          -- from where a browser confirmed (of IPv6 its /64)
  routing json,                                 -- on each authorization: what was decided, and why
  modified_at timestamptz(3) not null,
  poll_at timestamptz(3),
  state operation_state not null,
  reference text collate "C",
  response json,
  primary key (merchant_id, kind, object_id, n),
  -- What ended as not received is asked about once more: the processor may have been slower than any window we leave
  -- it.
  constraint unfinished_operations_are_polled
    check (case when poll_at is null then state > 'unknown' else state <= 'unknown' or state = 'not_received' end)
) with (fillfactor = 60);  -- an update stays in its page, as that of a payment does
create index operations_due on processor_operations (poll_at) where poll_at is not null;
-- Newer than the primary key: who looks for a request names the merchant too, and both would do.
create unique index operations_of_request on processor_operations (request_id, merchant_id);

-- What processors call operations, for connectors whose webhooks name nothing else.
create table operation_references (
  merchant_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  reference text collate "C" not null,
  kind text collate "C" not null,
  object_id text collate "C" not null,
  n int not null,
  primary key (merchant_id, merchant_connector_id, reference, kind, object_id, n)
);

-- What customers brought back from a challenge, for connectors that can only be asked with it.
create table customer_returns (
  merchant_id text collate "C" not null,
  kind text collate "C" not null,
  object_id text collate "C" not null,
  n int not null,
  parameters json not null,
  forget_at timestamptz(3) not null,
  primary key (merchant_id, kind, object_id, n)
);
create index customer_returns_to_forget on customer_returns (forget_at);

-- Holds that are captured by themselves, and when. A row is made with the hold, and deleted by the operation that
-- begins the capture, or that finds that there is none to make.
create table scheduled_captures (
  merchant_id text collate "C" not null,
  payment_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  connector text collate "C" not null,
  capture_at timestamptz(3) not null,
  primary key (merchant_id, payment_id)
);
create index scheduled_captures_due on scheduled_captures (capture_at);

create table refunds (
  amount bigint not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  n int not null,
  status refund_status not null,
  merchant_id text collate "C" not null,
  refund_id text collate "C" not null,
  payment_id text collate "C" not null,
  currency text not null,
  reason text,
  refund_type text not null,
  metadata json,
  profile_id text collate "C" not null,
  connector text not null,
  merchant_connector_id text collate "C" not null,
  connector_refund_id text collate "C",
  arn text,
  last_error json,
  fee json,                                     -- what it costs, where its processor says it
  split_refunds json,                           -- what of the shares of a split payment is taken back with it
  body_digest text not null
);
create index refunds_by_payment on refunds (merchant_id, payment_id, n);  -- in the order in which they are read, so that it is never a tie
alter table refunds add primary key (merchant_id, refund_id);

-- Refunds that are sent after their answer. A row is made with the refund, and deleted by the change that begins it.
create table scheduled_refunds (
  merchant_id text collate "C" not null,
  refund_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  connector text collate "C" not null,
  refund_at timestamptz(3) not null,
  primary key (merchant_id, refund_id)
);
create index scheduled_refunds_due on scheduled_refunds (refund_at);

-- Disputes. They move with their payment, as refunds do.
create type dispute_stage as enum ('pre_dispute', 'dispute', 'pre_arbitration', 'arbitration', 'dispute_reversal');
create type dispute_status as enum (
  'dispute_opened', 'dispute_expired', 'dispute_accepted', 'dispute_cancelled', 'dispute_challenged', 'dispute_won', 'dispute_lost');
create table disputes (
  merchant_id text collate "C" not null,
  dispute_id text collate "C" not null,
  payment_id text collate "C" not null,
  attempt_id text collate "C" not null,
  authorization_n int not null,
  dispute_stage dispute_stage not null,
  dispute_status dispute_status not null,
  alone int,
  amount bigint not null,
  currency text collate "C" not null,
  kept bigint not null check (kept >= 0),
  withdrawn_at timestamptz(3),
  returned_at timestamptz(3),
  profile_id text collate "C" not null,
  connector text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  connector_status text not null,
  connector_dispute_id text collate "C" not null,
  connector_reason text,
  connector_reason_code text,
  challenge_required_by timestamptz(3),
  connector_created_at timestamptz(3),
  connector_updated_at timestamptz(3),
  is_manual boolean not null,
  transition_reason text,
  evidence json,
  news json not null,
  due_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index disputes_of_payment on disputes (merchant_id, payment_id);
create index disputes_by_reference on disputes (merchant_id, merchant_connector_id, connector_dispute_id);
create index disputes_due on disputes (due_at) where due_at is not null;
alter table disputes add primary key (merchant_id, dispute_id);

-- News of disputes whose payment is not known (yet), or that could not be asked about. They are looked at again for a
-- week. Those that name something that looks like a card number stand sealed.
create table unmatched_disputes (
  merchant_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  digest text collate "C" not null,
  connector text collate "C" not null,
  news json,
  sealed_news bytea,
  received_at timestamptz(3) not null,
  look_at timestamptz(3) not null,
  primary key (merchant_id, merchant_connector_id, digest),
  constraint unmatched_disputes_news check ((news is null) <> (sealed_news is null))
);
create index unmatched_disputes_due on unmatched_disputes (look_at);

-- Payouts: money that goes from the merchant to a recipient.
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
  request json not null,
  last_error json,
  body_digest text collate "C",
  created timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  expires_on timestamptz(3) not null,
  expire_at timestamptz(3)
);
create index payouts_of_customer on payouts (merchant_id, customer_id, payout_id) where customer_id is not null;
create index payouts_expiring on payouts (expire_at) where expire_at is not null;
alter table payouts add primary key (merchant_id, payout_id);

-- What happened.

-- The history of any versioned row: the body for version v is the row minus the later `was`.
create table changes (
  created timestamptz(3) not null,
  version int not null,
  sequence int,
  merchant_id text collate "C" not null,
  object_id text collate "C" not null,
  kind text collate "C" not null,
  event_id text collate "C" not null,
  type text not null,
  announces text,
  by text not null,
  was json not null,
  posted json                                   -- the money that moved with it
);
-- What merchants hear of and what moved money, by its id, which begins with its time.
create unique index changes_told_or_posted on changes (merchant_id, event_id) where announces is not null or posted is not null;
alter table changes add primary key (merchant_id, object_id, kind, version);

-- Where streams find what was written long after its event was named (docs/decisions/0067-late-commits.md).
create table late_events (
  merchant_id text collate "C" not null,
  place text collate "C" not null,
  event_id text collate "C" not null,
  primary key (merchant_id, place)
);

-- Told in the order of n, and deleted.
create table outbox (
  n bigint generated always as identity,
  created timestamptz(3) not null,
  version int not null,
  merchant_id text collate "C" not null,
  kind text not null,
  object_id text collate "C" not null,
  primary key (n, merchant_id)
);

-- Idempotency-Keys. status is null while the first request runs (or was cut off by a crash).
create table idempotency_keys (
  claimed_at timestamptz(3) not null,
  forget_at timestamptz(3),                     -- of those under which no money moves
  version int not null,
  status int,
  merchant_id text collate "C" not null,
  key text collate "C" not null,
  scope text not null,
  digest text not null,
  token text not null,
  kind text not null,
  head_merchant text collate "C",
  head_id text collate "C" not null,
  object_id text collate "C" not null,          -- what the answer shows: the payment, or the refund that the change made
  event_id text not null,
  answer bytea                                  -- sealed: it may hold what is shown once
);
create index idempotency_keys_to_forget on idempotency_keys (forget_at) where forget_at is not null;
-- Answers that were kept about a customer who is deleted are found by this.
create index idempotency_keys_of_customers on idempotency_keys (merchant_id, head_id) where kind = 'customer';
alter table idempotency_keys add primary key (merchant_id, key);

-- What lists are read from: a narrow row beside each object, and what the kinds of objects are
-- (docs/decisions/0046-lists.md).
create table listing_kinds (
  merchant_id text collate "C" not null,
  resource text collate "C" not null,
  kind bigint not null,
  facets json not null,
  primary key (merchant_id, resource, kind)
);

create table listings (
  kind bigint not null,
  created timestamptz(3) not null,
  amount bigint not null,
  merchant_id text collate "C" not null,
  object_id text collate "C" not null,
  customer_id text collate "C",
  reference text collate "C",
  payment_id text collate "C"
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);

create index listings_of_customer on listings (merchant_id, customer_id, created, object_id) include (kind) where customer_id is not null;
create index listings_of_reference on listings (merchant_id, reference, created, object_id) include (kind) where reference is not null;
create index listings_of_payment on listings (merchant_id, payment_id, created, object_id) include (kind) where payment_id is not null;
-- An exact amount, or a narrow range of amounts, that few of many payments have. Equal amounts share their entry.
create index listings_by_amount on listings (merchant_id, amount) where amount > 0;
alter table listings add primary key (merchant_id, kind, created, object_id) include (amount);

-- The ledger: what the money that moved (changes.posted) makes of each account.
create table ledger_balances (
  merchant_id text collate "C" not null,
  profile_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  currency text collate "C" not null,
  account text collate "C" not null,
  debit bigint not null,
  credit bigint not null,
  primary key (merchant_id, profile_id, merchant_connector_id, currency, account)
);

-- Settlement files of processors that were posted to the ledger.
create table settlements (
  merchant_id text collate "C" not null,
  settlement_id text collate "C" not null,
  version int not null,
  profile_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  currency text collate "C" not null,
  lines int not null,
  gross bigint not null,
  fee bigint not null,
  net bigint not null,
  created timestamptz(3) not null,
  primary key (merchant_id, settlement_id)
);

-- Where merchants hear of what happened, and what was told them.
create table webhook_endpoints (
  merchant_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  version int not null,
  profile_id text not null,
  url text not null,
  description text,
  event_types jsonb,
  enabled boolean not null,
  sealed bytea not null,
  created timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (merchant_id, endpoint_id)
);

create table webhook_endpoint_states (
  merchant_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  version int not null,
  sequence int not null,
  profile_id text not null,
  url text not null,
  failing_since timestamptz(3),
  warned_at timestamptz(3),
  disabled_at timestamptz(3),
  disabled_reason text,
  modified_at timestamptz(3) not null,
  primary key (merchant_id, endpoint_id)
);

-- What is sent of an event that an endpoint is to hear of.
create table announcements (
  merchant_id text collate "C" not null,
  event_id text collate "C" not null,
  body text not null,
  created timestamptz(3) not null,
  primary key (merchant_id, event_id)
);
create index announcements_to_forget on announcements (created);

create table deliveries (
  merchant_id text collate "C" not null,
  event_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  line text collate "C" not null,
  version int not null,
  status text not null,
  tries int not null,
  created timestamptz(3) not null,
  ended_at timestamptz(3)
);
create index deliveries_in_line on deliveries (merchant_id, endpoint_id, line, version) where status = 'pending';
create index deliveries_to_forget on deliveries (created);
alter table deliveries add primary key (merchant_id, event_id, endpoint_id);

-- When the next delivery of one object's events to one endpoint is due.
create table delivery_lines (
  merchant_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  line text collate "C" not null,
  newest int not null,
  due_at timestamptz(3) not null
);
create index delivery_lines_due on delivery_lines (merchant_id, endpoint_id, due_at);
alter table delivery_lines add primary key (merchant_id, endpoint_id, line);

create table delivery_attempts (
  merchant_id text collate "C" not null,
  event_id text collate "C" not null,
  attempt_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  kind text not null,
  url text not null,
  request_headers json not null,
  status_code int,
  error text,
  response_headers json,
  response_body text,
  latency_ms int not null,
  created timestamptz(3) not null,
  primary key (merchant_id, event_id, attempt_id)
);
create index delivery_attempts_to_forget on delivery_attempts (created);

-- What a sink of events is still to be told, and which process tells it (docs/decisions/0066-sinks.md).
create table sink_queue (
  n bigint generated always as identity,
  merchant_id text collate "C" not null,
  kind text not null,
  object_id text collate "C" not null,
  version int not null,
  created timestamptz(3) not null,
  primary key (n, merchant_id)
);
create table sink_leases (
  sink text collate "C" primary key,
  holder text not null,
  until timestamptz(3) not null
);

-- The API requests of merchants, for as long as the deployment keeps them. `members`: the names of what was sent,
-- never the values.
create table request_logs (
  merchant_id text collate "C" not null,
  log_id text collate "C" not null,
  request_id text collate "C" not null,
  by text not null,
  method text not null,
  route text not null,
  path text not null,
  object_id text collate "C",
  status int not null,
  latency_ms int not null,
  members json not null,
  error_code text,
  error_field text,
  error_message text,
  address text not null,
  user_agent text,
  wrote json not null,
  created timestamptz(3) not null,
  forget_at timestamptz(3) not null
);
create index request_logs_of_object on request_logs (merchant_id, object_id, log_id) where object_id is not null;
create index request_logs_to_forget on request_logs (forget_at);
alter table request_logs add primary key (merchant_id, log_id);

-- What the scheduler is at work on, from its beginning to its end: a job that was begun and not ended is tried again,
-- and isolated when that never helps.
create table jobs (
  merchant_id text collate "C" not null,
  kind text collate "C" not null,
  job text collate "C" not null,
  job_id text collate "C" not null,
  tries int not null,
  deaths int not null,
  reason text,
  since timestamptz(3) not null,
  begun_at timestamptz(3),
  isolated_at timestamptz(3),
  primary key (merchant_id, kind, job)
);
create index jobs_by_id on jobs (job_id);
-- They are looked through in the order in which they began: what was left behind is forgotten.
create index jobs_since on jobs (since);

-- Where each change of rows that are no money came from, written with it; what it was and who did it stand in
-- `changes`. `mac` is keyed, over both, so that only the service can write one. The sealer gives each its place in a
-- chain: `seal` is keyed as well, over the one before.
create table audit_log (
  n bigint generated by default as identity,
  merchant_id text collate "C" not null,
  kind text collate "C" not null,
  object_id text collate "C" not null,
  version int not null,
  request_id text,
  address text,
  created timestamptz(3) not null,
  mac text collate "C" not null,
  place bigint,
  seal text collate "C",
  primary key (n, merchant_id)
);
create index audit_log_of_merchant on audit_log (merchant_id, n);
create index audit_log_unsealed on audit_log (n) where place is null;
create unique index audit_log_places on audit_log (place) where place is not null;

-- Only the sealer touches a row, once. (The owner of the table can do away with this; the chain tells.)
create function audit_log_is_only_added_to() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.place is null and new.place is not null and new.seal is not null
    and (old.n, old.merchant_id, old.kind, old.object_id, old.version, old.created, old.mac) = (new.n, new.merchant_id, new.kind, new.object_id, new.version, new.created, new.mac)
    and old.request_id is not distinct from new.request_id and old.address is not distinct from new.address then
    return new;
  end if;
  raise integrity_constraint_violation using message = 'the audit log is only added to', constraint = 'audit_log_is_only_added_to';
end $$;
create trigger audit_log_is_only_added_to before update or delete on audit_log for each row execute function audit_log_is_only_added_to();
create trigger audit_log_is_never_emptied before truncate on audit_log for each statement execute function audit_log_is_only_added_to();

-- The end of the chain: the process that moves it on seals.
create table audit_chain (one boolean primary key default true check (one), place bigint not null, seal text collate "C" not null);
insert into audit_chain (place, seal) values (0, '');

-- What was shown of what must not be seen unnoticed: the log itself; and card data, once anything shows it to a person
-- or a key.
create table disclosures (
  merchant_id text collate "C" not null,
  disclosure_id text collate "C" not null,
  version int not null,
  what text collate "C" not null,
  request json not null,
  created timestamptz(3) not null,
  primary key (merchant_id, disclosure_id)
);

-- Who pays, and with what.

-- What is said of a person stands in `personal`, sealed, and so in no history; it is looked for by keyed digests, which
-- stand in the listing too. forget_at: of one who was deleted, until their payments say nothing of them either.
create table customers (
  merchant_id text collate "C" not null,
  customer_id text collate "C" not null,
  version int not null,
  personal bytea not null,
  email_digest text collate "C",
  phone_digest text collate "C",
  default_payment_method_id text collate "C",
  redacted_at timestamptz(3),
  forget_at timestamptz(3),
  created_at timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  primary key (merchant_id, customer_id)
);
create index customers_to_forget on customers (forget_at) where forget_at is not null;

-- What customers pay with again and again, and where they are paid out to (`recipient`). The number is in the vault,
-- under `method` and the id; what may be seen of it is in no history.
create type payment_method_status as enum ('new', 'awaiting_data', 'processing', 'active', 'updated', 'inactive');
create table payment_methods (
  merchant_id text collate "C" not null,
  payment_method_id text collate "C" not null,
  customer_id text collate "C" not null,
  status payment_method_status not null,
  payment_method text collate "C" not null,
  payment_method_type text collate "C",
  fingerprint text collate "C",
  masked json,
  recipient json,
  details json not null,
  recurring json,                               -- what processors and the network know it by
  client_secret text collate "C" not null,
  secret_expires_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  created timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  primary key (merchant_id, payment_method_id)
) with (fillfactor = 70);  -- that it was used is noted in its row: an update that stays in its page touches no index
-- Neither begins as the primary key does: without statistics PostgreSQL would take it for that one's look-ups, and read
-- all that a merchant has.
create index payment_methods_by_customer on payment_methods (customer_id, merchant_id);
create index payment_methods_of_secret on payment_methods (client_secret, merchant_id);

-- What stands for a saved one in a checkout, for a quarter of an hour.
create table payment_tokens (
  merchant_id text collate "C" not null,
  token text collate "C" not null,
  customer_id text collate "C" not null,
  payment_method_id text collate "C" not null,
  expires_at timestamptz(3) not null,
  primary key (merchant_id, token)
);
create index payment_tokens_due on payment_tokens (expires_at);
create index payment_tokens_by_customer on payment_tokens (customer_id, merchant_id);

-- That a customer may be charged without being there.
create type mandate_status as enum ('active', 'inactive', 'pending', 'revoked');
create table mandates (
  merchant_id text collate "C" not null,
  mandate_id text collate "C" not null,
  version int not null,
  sequence int not null,
  status mandate_status not null,
  customer_id text collate "C" not null,
  payment_method_id text collate "C" not null,
  payment_id text collate "C" not null,
  profile_id text collate "C" not null,
  connector text collate "C" not null,
  type text collate "C" not null,
  amount bigint,
  currency text collate "C",
  start_date timestamptz(3),
  end_date timestamptz(3),
  metadata json,
  customer_acceptance json not null,
  created_at timestamptz(3) not null,
  modified_at timestamptz(3) not null
);
create index mandates_of_customer on mandates (merchant_id, customer_id);
create index mandates_latest on mandates (merchant_id, created_at desc, mandate_id desc);
alter table mandates add primary key (merchant_id, mandate_id);

-- What was charged by a mandate, what is under way included, beside its limit: one guarded update counts a payment.
create table mandate_totals (
  merchant_id text collate "C" not null,
  mandate_id text collate "C" not null,
  most_charges int,
  most_amount bigint,
  charges int not null check (charges >= 0 and charges <= coalesce(most_charges, charges)),
  amount bigint not null check (amount >= 0 and amount <= coalesce(most_amount, amount)),
  primary key (merchant_id, mandate_id)
);

-- What is to be done once a payment is decided: its card is saved, or what was counted for it against a mandate stays
-- so or is given back.
create table payment_follow_ups (
  merchant_id text collate "C" not null,
  payment_id text collate "C" not null,
  mandate_id text collate "C",
  amount bigint,
  attempt int not null,
  made_at timestamptz(3) not null,
  due_at timestamptz(3) not null,
  primary key (merchant_id, payment_id)
);
create index payment_follow_ups_due on payment_follow_ups (due_at);

-- Pages on which customers say whereto they are paid, or what they pay with, for good.
create type collect_link_status as enum ('initiated', 'submitted');
create table collect_links (
  merchant_id text collate "C" not null,
  pm_collect_link_id text collate "C" not null,
  customer_id text collate "C" not null,
  profile_id text collate "C" not null,
  status collect_link_status not null,
  payment_method_id text collate "C",
  request json not null,
  client_secret text collate "C" not null,
  created timestamptz(3) not null,
  expires_on timestamptz(3) not null,
  submitted_at timestamptz(3),
  primary key (merchant_id, pm_collect_link_id)
);
create index collect_links_by_customer on collect_links (customer_id, merchant_id);

-- Who may not pay: parts of card numbers, and cards by their fingerprints. A name is `data_kind` and what is blocked;
-- what is blocked no more stays, for its history.
create table blocklist_entries (
  merchant_id text collate "C" not null,
  entry_id text collate "C" not null,
  version int not null,
  data_kind text collate "C" not null check (data_kind in ('payment_method', 'card_bin', 'extended_card_bin')),
  fingerprint_id text collate "C" not null,
  metadata json,
  deleted boolean not null,
  created_at timestamptz(3) not null
);
create index blocklist_entries_by_time on blocklist_entries (merchant_id, data_kind, created_at, entry_id) where not deleted;
alter table blocklist_entries add primary key (merchant_id, entry_id);

-- Whole files of them, worked through a part at a time.
create table blocklist_batches (
  merchant_id text collate "C" not null,
  job_id text collate "C" not null,
  version int not null,
  status text collate "C" not null check (status in ('initiated', 'processing', 'completed', 'failed')),
  total_rows int not null,
  succeeded_rows int not null,
  failed_rows int not null,
  entries json,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  work_at timestamptz(3)
);
create index blocklist_batches_by_time on blocklist_batches (merchant_id, created_at, job_id);
create index blocklist_batches_due on blocklist_batches (work_at) where work_at is not null;
alter table blocklist_batches add primary key (merchant_id, job_id);

-- Against card testing: each confirmation from a browser that a processor declined, once under everything by which such
-- are counted. What succeeds writes nothing.
create table failed_confirms (
  merchant_id text collate "C" not null,
  counted text collate "C" not null,
  payment_id text collate "C" not null,
  n int not null,
  failed_at timestamptz(3) not null,
  primary key (merchant_id, counted, payment_id, n)
);
create index failed_confirms_due on failed_confirms (failed_at);

-- What the first digits of card numbers tell, as an operator imports it: of no merchant. country_name: what the
-- operator's file calls the country, beside its two letters; answers show it in these words.
create table card_bins (
  prefix text collate "C" primary key,
  networks text collate "C" not null,
  card_type text collate "C",
  card_subtype text,
  issuer text,
  country text collate "C",
  country_name text
);

-- The vault: card numbers and what else is sealed; and security codes that wait for a confirm, at most 15 minutes.
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

-- What the vault's own process may hold that no row stands for any more. Written only where the vault is split: its
-- references begin with the form 3.
create table orphaned_records (
  merchant_id text collate "C" not null,
  record text collate "C" not null,
  forget_at timestamptz(3) not null,
  primary key (merchant_id, record)
);
create index orphaned_records_due on orphaned_records (forget_at);

-- A statement that lets go of a reference says so, in the same transaction. The reference ends with a handle of 16
-- bytes; when it happened is of no interest, it is due at once.
create function vault_left_over() returns trigger language plpgsql as $$
begin
  insert into orphaned_records (merchant_id, record, forget_at)
    values (old.merchant_id, old.record || ' ' || encode(substring(old.sealed from length(old.sealed) - 15), 'hex'), '2000-01-01')
    on conflict (merchant_id, record) do update set forget_at = excluded.forget_at;
  return null;
end $$;
create trigger vault_reference_deleted after delete on vault_records for each row when (substring(old.sealed from 1 for 1) = '\x03'::bytea) execute function vault_left_over();
create trigger vault_reference_exchanged after update on vault_records for each row
  when (substring(old.sealed from 1 for 1) = '\x03'::bytea and new.sealed is distinct from old.sealed) execute function vault_left_over();

create function cvc_left_over() returns trigger language plpgsql as $$
begin
  insert into orphaned_records (merchant_id, record, forget_at)
    values (old.merchant_id, 'cvc ' || old.payment_id || ' ' || encode(substring(old.sealed from length(old.sealed) - 15), 'hex'), '2000-01-01')
    on conflict (merchant_id, record) do update set forget_at = excluded.forget_at;
  return null;
end $$;
create trigger cvc_reference_deleted after delete on waiting_cvcs for each row when (substring(old.sealed from 1 for 1) = '\x03'::bytea) execute function cvc_left_over();
create trigger cvc_reference_exchanged after update on waiting_cvcs for each row
  when (substring(old.sealed from 1 for 1) = '\x03'::bytea and new.sealed is distinct from old.sealed) execute function cvc_left_over();
