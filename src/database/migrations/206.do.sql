-- Why the algorithm that is active was activated.
alter table profile_routing add column reason text collate "C";
