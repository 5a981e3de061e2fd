-- Who listens to events from a developer's machine, for as long as they are heard of.
create table event_listeners (
  merchant_id text collate "C" not null,
  listener_id text collate "C" not null,
  name text not null,
  machine text not null,
  forward_to text not null,
  event_types jsonb,
  created timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (merchant_id, listener_id)
);
create index event_listeners_to_forget on event_listeners (expires_at);
-- Events that a listener is sent again, until it has answered.
create table listener_deliveries (
  merchant_id text collate "C" not null,
  listener_id text collate "C" not null,
  delivery_id text collate "C" not null,
  event_id text collate "C" not null,
  created timestamptz(3) not null,
  primary key (merchant_id, listener_id, delivery_id)
);
create index listener_deliveries_to_forget on listener_deliveries (created);
-- The listener that a try went to; null: an endpoint.
alter table delivery_attempts add column listener json;
