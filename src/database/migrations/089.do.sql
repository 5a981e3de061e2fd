-- Test or live: a property of the database from its first start (docs/decisions/0076-outgoing-calls.md). Of one that has merchants already, their keys say it.
alter table settings_version add column mode text check (mode in ('test', 'live'));
update settings_version set mode = (
  select case when publishable_key like 'pk\_prd\_%' then 'live' else 'test' end from merchants order by created, merchant_id limit 1
);
