-- An operation belongs to a payment, or to whatever else has operations, and names the authorization it acts on (null: the payment's own). What needs a payment alone is an operation, not a verb.
alter table operations add column kind text collate "C" not null default 'payment', add column acts_on int;
alter table payments add column alone int, add column authorization_n int;

-- The release before says by a verb (busy) that a payment is taken, this one by an operation (alone). Until the release after this one, each finds what the other wrote.
create or replace function payment_totals_hold() returns trigger language plpgsql as $$
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

-- Those that are under way now. (The trigger is told of each by name.)
update payments p set
  authorization_n = a.n,
  alone = case when p.busy = 'authorize' then a.n else (
    select max(o.n) from operations o where o.merchant_id = p.merchant_id and o.payment_id = p.payment_id and o.state <= 'unknown' and (o.verb = 'void' or o.purpose = 'reversal')) end
from operations a where p.busy is not null and a.merchant_id = p.merchant_id and a.request_id = p.authorization_request_id;
