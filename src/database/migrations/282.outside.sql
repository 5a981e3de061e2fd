-- Numbers that were there before, and those of merchants that were deleted: looked at now.
insert into vault_reviews (merchant_id, family, object_id, review_at)
  select merchant_id, split_part(record, ' ', 1), split_part(record, ' ', 2), now() from vault_records
    where record not like 'method %' and split_part(record, ' ', 3) = ''
  union all
  select merchant_id, 'merchant', merchant_id, now() from merchants where deleted_at is not null
  on conflict (merchant_id, family, object_id) do nothing;
