-- When the number of a payment or payout in the vault is looked at: is it still needed? A number of a saved payment
-- method stays until that is deleted.
create table vault_reviews (
  merchant_id text collate "C" not null,
  family text collate "C" not null,
  object_id text collate "C" not null,
  review_at timestamptz(3) not null,
  primary key (merchant_id, family, object_id)
);
create index vault_reviews_due on vault_reviews (review_at);

-- Each process that writes a number writes this, also one of the previous release. In the database of the vault's own
-- process names have a third word, the handle: the service says what is to be forgotten there.
create function vault_record_to_review() returns trigger language plpgsql as $$
begin
  insert into vault_reviews (merchant_id, family, object_id, review_at)
    values (new.merchant_id, split_part(new.record, ' ', 1), split_part(new.record, ' ', 2), new.created + interval '1 hour')
    on conflict (merchant_id, family, object_id) do update set review_at = excluded.review_at;
  return null;
end $$;
create trigger vault_record_reviewed after insert on vault_records for each row
  when (new.record not like 'method %' and split_part(new.record, ' ', 3) = '') execute function vault_record_to_review();
