-- For which profiles of the merchant a person's role holds; null: for all that is the merchant's.
alter table user_roles add column profile_ids jsonb;
