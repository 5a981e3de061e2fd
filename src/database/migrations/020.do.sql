-- Where merchants hear of what happened, and what was told them. `announcements`: what is sent of an event that somebody is to hear of; `delivery_lines` says when the next delivery of one object's events to one endpoint is due.
-- What happened while nobody could listen is told to nobody.
delete from outbox;
create table webhook_endpoints (
  merchant_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  version int not null,
  profile_id text not null,
  url text not null,
  description text,
  event_types jsonb,
  enabled boolean not null,
  sealed bytea not null,
  created timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (merchant_id, endpoint_id)
);
create table webhook_endpoint_states (
  merchant_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  version int not null,
  sequence int not null,
  profile_id text not null,
  url text not null,
  failing_since timestamptz(3),
  warned_at timestamptz(3),
  disabled_at timestamptz(3),
  disabled_reason text,
  modified_at timestamptz(3) not null,
  primary key (merchant_id, endpoint_id)
);
create table announcements (
  merchant_id text collate "C" not null,
  event_id text collate "C" not null,
  body text not null,
  created timestamptz(3) not null,
  primary key (merchant_id, event_id)
);
create index announcements_to_forget on announcements (created);
create table deliveries (
  merchant_id text collate "C" not null,
  event_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  line text collate "C" not null,
  version int not null,
  status text not null,
  tries int not null,
  created timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (merchant_id, event_id, endpoint_id)
);
create index deliveries_in_line on deliveries (merchant_id, endpoint_id, line, version) where status = 'pending';
create index deliveries_to_forget on deliveries (created);
create table delivery_lines (
  merchant_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  line text collate "C" not null,
  newest int not null,
  due_at timestamptz(3) not null,
  primary key (merchant_id, endpoint_id, line)
);
create index delivery_lines_due on delivery_lines (merchant_id, endpoint_id, due_at);
create table delivery_attempts (
  merchant_id text collate "C" not null,
  event_id text collate "C" not null,
  attempt_id text collate "C" not null,
  endpoint_id text collate "C" not null,
  kind text not null,
  url text not null,
  request_headers json not null,
  status_code int,
  error text,
  response_headers json,
  response_body text,
  latency_ms int not null,
  created timestamptz(3) not null,
  primary key (merchant_id, event_id, attempt_id)
);
create index delivery_attempts_to_forget on delivery_attempts (created);
