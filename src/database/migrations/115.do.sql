-- News of disputes that name something that looks like a card number stand sealed.
alter table parked_disputes add column sealed_news bytea;
alter table parked_disputes alter column news drop not null;
alter table parked_disputes add constraint parked_disputes_news check ((news is null) <> (sealed_news is null));
