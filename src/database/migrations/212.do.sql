-- Who made a key, and what it may do: null, everything.
alter table api_keys add column created_by text, add column scopes jsonb;
