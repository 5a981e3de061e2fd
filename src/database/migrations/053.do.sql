-- The API requests of merchants, for as long as the deployment keeps them. `members`: the names of what was sent, never the values.
create table request_logs (
  merchant_id text collate "C" not null,
  log_id text collate "C" not null,
  request_id text collate "C" not null,
  by text not null,
  method text not null,
  route text not null,
  path text not null,
  object_id text collate "C",
  status int not null,
  latency_ms int not null,
  members json not null,
  error_code text,
  error_field text,
  error_message text,
  address text not null,
  user_agent text,
  wrote json not null,
  created timestamptz(3) not null,
  forget_at timestamptz(3) not null,
  primary key (merchant_id, log_id)
);
create index request_logs_of_object on request_logs (merchant_id, object_id, log_id) where object_id is not null;
create index request_logs_to_forget on request_logs (forget_at);
