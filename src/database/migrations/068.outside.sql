-- Lists the customers that are there, a few at a time, each locked while it is read: one that moves meanwhile is listed by its trigger. Run again it does nothing.
do $$
declare
  m text := '';
  i text := '';
  next_m text;
  next_i text;
begin
  loop
    select merchant_id, customer_id into next_m, next_i from (
      select merchant_id, customer_id from customers where (merchant_id, customer_id) > (m, i) order by merchant_id, customer_id limit 200) page
      order by merchant_id desc, customer_id desc limit 1;
    exit when not found;
    perform from customers where (merchant_id, customer_id) > (m, i) and (merchant_id, customer_id) <= (next_m, next_i) order by merchant_id, customer_id for no key update;
    perform list_customer(p) from customers p where (merchant_id, customer_id) > (m, i) and (merchant_id, customer_id) <= (next_m, next_i);
    commit;
    m := next_m;
    i := next_i;
  end loop;
end $$
