-- Lists the payments that no list has: commits between the releases took a listing away where one process settled what another had just written, or did not write it. Each is locked while it is looked at; run again it does nothing.
do $$
declare
  lost record;
begin
  for lost in
    select merchant_id, payment_id from payments p where not (version = 1 and status = 'processing')
      and not exists (select from listings l where l.merchant_id = p.merchant_id and l.object_id = p.payment_id)
  loop
    perform list_payment(p) from (select * from payments where merchant_id = lost.merchant_id and payment_id = lost.payment_id for no key update) p;
  end loop;
end $$
