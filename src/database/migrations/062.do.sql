-- Security codes that wait for a confirm may be with the vault's own process: whatever lets go of a reference to one says so, as for card numbers (051).
create function cvc_left_over() returns trigger language plpgsql as $$
begin
  insert into vault_leftovers (merchant_id, record, forget_at)
    values (old.merchant_id, 'cvc ' || old.payment_id || ' ' || encode(substring(old.sealed from length(old.sealed) - 15), 'hex'), '2000-01-01')
    on conflict (merchant_id, record) do update set forget_at = excluded.forget_at;
  return null;
end $$;
create trigger cvc_reference_deleted after delete on waiting_cvcs for each row when (substring(old.sealed from 1 for 1) = '\x03'::bytea) execute function cvc_left_over();
create trigger cvc_reference_exchanged after update on waiting_cvcs for each row
  when (substring(old.sealed from 1 for 1) = '\x03'::bytea and new.sealed is distinct from old.sealed) execute function cvc_left_over();
