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
  updated_at timestamptz(3) not null,
  primary key (merchant_id, dispute_id)
);
create index disputes_of_payment on disputes (merchant_id, payment_id);
create index disputes_by_reference on disputes (merchant_id, merchant_connector_id, connector_dispute_id);
create index disputes_due on disputes (due_at) where due_at is not null;

-- News of disputes whose payment is not known (yet), or that could not be asked about. They are looked at again for a week.
create table parked_disputes (
  merchant_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  digest text collate "C" not null,
  connector text collate "C" not null,
  news json not null,
  parked_at timestamptz(3) not null,
  look_at timestamptz(3) not null,
  primary key (merchant_id, merchant_connector_id, digest)
);
create index parked_disputes_due on parked_disputes (look_at);

-- What was refunded may be disputed all the same: then more is gone than was captured. What holds is that no refund begins beyond what disputes have left.
create or replace function payment_totals_hold() returns trigger language plpgsql as $$
begin
  if least(new.amount, new.amount_capturable, new.amount_capturing, new.amount_received, new.amount_refunding, new.amount_refunded, new.amount_disputed,
           new.amount_authorized - new.amount_capturable - new.amount_capturing - new.amount_received,
           new.amount_received - new.amount_refunding - new.amount_refunded) < 0
     or (tg_op = 'UPDATE' and new.amount_refunding + new.amount_refunded > old.amount_refunding + old.amount_refunded
         and new.amount_received - new.amount_refunding - new.amount_refunded - new.amount_disputed < 0) then
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
