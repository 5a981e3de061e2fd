-- An organization has one platform account at most, also if two are created at once.
create unique index concurrently if not exists merchants_one_platform on merchants (organization_id) where details ->> 'merchant_account_type' = 'platform'
