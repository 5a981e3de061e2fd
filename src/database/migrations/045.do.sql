-- What lists are read from: a narrow row beside each object, and what the kinds of objects are (docs/decisions/0046-lists.md).
create table listing_kinds (
  merchant_id text collate "C" not null,
  resource text collate "C" not null,
  kind bigint not null,
  facets json not null,
  primary key (merchant_id, resource, kind)
);

create table listings (
  merchant_id text collate "C" not null,
  kind bigint not null,
  created timestamptz(3) not null,
  object_id text collate "C" not null,
  amount bigint not null,
  customer_id text collate "C",
  reference text collate "C",
  payment_id text collate "C"
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);

-- The conditions of the first keep it out of the way of whoever does not ask for an amount.
create index listings_by_amount on listings (merchant_id, amount, created, object_id) include (kind) where amount >= 0;
create index listings_of_customer on listings (merchant_id, customer_id, created, object_id) include (kind) where customer_id is not null;
create index listings_of_reference on listings (merchant_id, reference, created, object_id) include (kind) where reference is not null;
create index listings_of_payment on listings (merchant_id, payment_id, created, object_id) include (kind) where payment_id is not null;
alter table listings add primary key (merchant_id, kind, created, object_id) include (amount);

-- From here on for the release before, which writes no listings, and for what is there already: what it writes is listed by triggers, until the release after this one. This release says that it does it itself.

-- The kind of an object: its resource, and the words that it has (`database/listing.ts`).
create function listing_said(resource text, names text[], words text[]) returns text language sql immutable as $$
  select resource || coalesce((select string_agg(E'\x1f' || n || '=' || w, '' order by o) from unnest(names, words) with ordinality as t (n, w, o) where w is not null), '')
$$;
create function listing_kind(said text) returns bigint language sql immutable as $$
  select ('x' || left(encode(sha256(convert_to(said, 'UTF8')), 'hex'), 13))::bit(52)::bigint
$$;
create function listing_facets(names text[], words text[]) returns json language sql immutable as $$
  select coalesce((select json_object_agg(n, w order by o) from unnest(names, words) with ordinality as t (n, w, o) where w is not null), '{}')
$$;

create function listed_payment(p payments) returns text[] language sql immutable as $$
  select array[p.status::text, p.currency, p.connector, p.merchant_connector_id, p.profile_id, p.asked->>'payment_method', p.asked->>'payment_method_type', p.authentication_type,
    case when p.asked->>'payment_method' = 'card' then p.card->>'card_network' end,
    case when p.asked->>'payment_method' = 'card' and p.card is not null
      then case when p.asked->>'payment_method_id' is not null and coalesce(p.asked->>'saves', '') <> 'card' then 'saved_card' else 'manual' end end]
$$;
create function listed_payment_names() returns text[] language sql immutable as $$
  select array['status', 'currency', 'connector', 'merchant_connector_id', 'profile_id', 'payment_method', 'payment_method_type', 'authentication_type', 'card_network', 'card_discovery']
$$;
create function listed_refund(r refunds) returns text[] language sql immutable as $$
  select array[r.status::text, r.currency, r.connector, r.merchant_connector_id, r.profile_id, r.refund_type]
$$;
create function listed_refund_names() returns text[] language sql immutable as $$
  select array['status', 'currency', 'connector', 'merchant_connector_id', 'profile_id', 'refund_type']
$$;

create function list_payment(p payments) returns void language plpgsql as $$
declare
  words text[] := listed_payment(p);
  its_kind bigint := listing_kind(listing_said('payment', listed_payment_names(), words));
begin
  insert into listing_kinds (merchant_id, resource, kind, facets) values (p.merchant_id, 'payment', its_kind, listing_facets(listed_payment_names(), words)) on conflict do nothing;
  insert into listings (merchant_id, kind, created, object_id, amount, customer_id, reference)
    values (p.merchant_id, its_kind, p.created, p.payment_id, p.amount, p.customer_id, p.asked->>'merchant_order_reference_id') on conflict do nothing;
end $$;

create function list_refund(r refunds) returns void language plpgsql as $$
declare
  words text[] := listed_refund(r);
  its_kind bigint := listing_kind(listing_said('refund', listed_refund_names(), words));
begin
  insert into listing_kinds (merchant_id, resource, kind, facets) values (r.merchant_id, 'refund', its_kind, listing_facets(listed_refund_names(), words)) on conflict do nothing;
  insert into listings (merchant_id, kind, created, object_id, amount, payment_id)
    values (r.merchant_id, its_kind, r.created_at, r.refund_id, r.amount, r.payment_id) on conflict do nothing;
end $$;

create function payment_is_listed() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from listings where merchant_id = old.merchant_id and created = old.created and object_id = old.payment_id
      and kind = listing_kind(listing_said('payment', listed_payment_names(), listed_payment(old)));
  end if;
  perform list_payment(new);
  return new;
end $$;
create function refund_is_listed() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from listings where merchant_id = old.merchant_id and created = old.created_at and object_id = old.refund_id
      and kind = listing_kind(listing_said('refund', listed_refund_names(), listed_refund(old)));
  end if;
  perform list_refund(new);
  return new;
end $$;

create trigger payment_is_listed after insert on payments for each row when (current_setting('switchyard.lists', true) is distinct from 'written') execute function payment_is_listed();
create trigger payment_is_listed_anew before update on payments for each row when (current_setting('switchyard.lists', true) is distinct from 'written') execute function payment_is_listed();
create trigger refund_is_listed after insert on refunds for each row when (current_setting('switchyard.lists', true) is distinct from 'written') execute function refund_is_listed();
create trigger refund_is_listed_anew before update on refunds for each row when (current_setting('switchyard.lists', true) is distinct from 'written') execute function refund_is_listed();
