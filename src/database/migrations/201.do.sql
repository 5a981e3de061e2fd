-- Calls to processors and to endpoints of webhooks, as each process counts them (docs/decisions/0113).
create table peer_calls (
  merchant_id text collate "C" not null,
  peer_id text collate "C" not null,
  minutes int not null,
  at timestamptz(3) not null,
  verb text not null,
  process text collate "C" not null,
  calls int not null,
  unknown int not null,
  not_sent int not null,
  succeeded int not null,
  failed int not null,
  latencies json not null,
  forget_at timestamptz(3) not null,
  primary key (merchant_id, peer_id, minutes, at, verb, process)
) with (fillfactor = 60);
create index peer_calls_to_forget on peer_calls (forget_at);

create table account_webhooks (
  merchant_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  last_webhook_at timestamptz(3) not null,
  primary key (merchant_id, merchant_connector_id)
) with (fillfactor = 60);

create table account_breakers (
  merchant_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  process text collate "C" not null,
  since timestamptz(3) not null,
  next_try_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  primary key (merchant_id, merchant_connector_id, process)
);
create index account_breakers_to_forget on account_breakers (seen_at);
