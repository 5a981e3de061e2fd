-- Lists the payments that no list has: commits between the releases took a listing away where one process settled what another had just written, or did not write it. Each is locked while it is looked at; run again it does nothing.
do $$
declare
  m text := '';
  i text := '';
  next_m text;
  next_i text;
begin
  loop
    select merchant_id, payment_id into next_m, next_i from (
      select merchant_id, payment_id from payments where (merchant_id, payment_id) > (m, i) order by merchant_id, payment_id limit 200) page
      order by merchant_id desc, payment_id desc limit 1;
    exit when not found;
    perform list_payment(p) from (
      select * from payments where (merchant_id, payment_id) > (m, i) and (merchant_id, payment_id) <= (next_m, next_i)
        and not (version = 1 and status = 'processing') order by merchant_id, payment_id for no key update) p;
    commit;
    m := next_m;
    i := next_i;
  end loop;
end $$
