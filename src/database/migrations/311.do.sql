-- A refund that others made at the processor is booked though a dispute has left nothing to refund: both happened.
create or replace function payment_totals_hold() returns trigger language plpgsql as $$
begin
  if least(new.amount, new.amount_capturable, new.amount_capturing, new.amount_received, new.amount_refunding, new.amount_refunded, new.amount_disputed,
           new.amount_authorized - new.amount_capturable - new.amount_capturing - new.amount_received,
           new.amount_received - new.amount_refunding - new.amount_refunded) < 0
     or (tg_op = 'UPDATE' and new.amount_refunding + new.amount_refunded > old.amount_refunding + old.amount_refunded
         and new.amount_received - new.amount_refunding - new.amount_refunded - new.amount_disputed < 0
         and new.adjustments ->> 'outside' is not distinct from old.adjustments ->> 'outside') then
    raise check_violation using message = 'the totals of payment ' || new.payment_id || ' do not hold', constraint = 'payment_totals_hold';
  end if;
  return new;
end $$;
