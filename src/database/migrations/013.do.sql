-- Who changed, by the count that the change brought settings_version to: so a process forgets only those. The last thousand; a count of which it does not say who (the release before only counts) makes everybody
-- forget everything.
create table settings_changes (version bigint primary key, merchant_id text collate "C" not null);
