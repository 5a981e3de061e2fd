-- How a profile's payouts are routed.
alter table profile_routing add column payout_algorithm text collate "C", add column payout_fallback jsonb not null default '[]';
