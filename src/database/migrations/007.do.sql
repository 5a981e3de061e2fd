alter table events drop constraint events_pkey, add constraint changes_pkey primary key using index changes_by_key;
alter table events rename to changes;
alter table changes rename column payment_id to object_id;
create view events as select merchant_id, object_id as payment_id, version, sequence, event_id, type, announces, was, set, created from changes where kind = 'payment';

alter table claims rename to idempotency_keys;
alter table idempotency_keys rename column payment_id to head_id;
alter index claims_pkey rename to idempotency_keys_pkey;
create view claims as
  select merchant_id, key, scope, digest, token, head_id as payment_id, object_id, version, event_id, claimed_at, status, answer from idempotency_keys;

-- Keys under which no money moved are administrative, and few.
update idempotency_keys set forget_at = claimed_at + interval '90 days' where head_id = '';
