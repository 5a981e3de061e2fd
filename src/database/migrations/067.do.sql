-- Customers are listed as everything else is (docs/decisions/0046-lists.md); of their listings `reference` and `payment_id` are the digests by which they are looked for.
create function listed_customer(c customers) returns text[] language sql immutable as $$
  select array[case when c.redacted_at is not null then 'redacted' end]
$$;
create function list_customer(c customers) returns void language plpgsql as $$
declare
  words text[] := listed_customer(c);
  its_kind bigint := listing_kind(listing_said('customer', array['state'], words));
begin
  insert into listing_kinds (merchant_id, resource, kind, facets) values (c.merchant_id, 'customer', its_kind, listing_facets(array['state'], words)) on conflict do nothing;
  insert into listings (merchant_id, kind, created, object_id, amount, reference, payment_id)
    values (c.merchant_id, its_kind, c.created_at, c.customer_id, 0, c.email_digest, c.phone_digest) on conflict do nothing;
end $$;

create function customer_is_listed() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from listings where merchant_id = old.merchant_id and created = old.created_at and object_id = old.customer_id
      and kind = listing_kind(listing_said('customer', array['state'], listed_customer(old)));
  end if;
  perform list_customer(new);
  return new;
end $$;

-- For who writes no listings of customers yet, until the release after this one; the indexes customers_newest, customers_by_email and customers_by_phone, which only they read by, go with these.
create trigger customer_is_listed after insert on customers for each row when (current_setting('switchyard.lists_of_customers', true) is distinct from 'written') execute function customer_is_listed();
create trigger customer_is_listed_anew after update of redacted_at, email_digest, phone_digest on customers for each row when (current_setting('switchyard.lists_of_customers', true) is distinct from 'written') execute function customer_is_listed();
