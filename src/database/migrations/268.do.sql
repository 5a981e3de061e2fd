-- Command lines that ask to be signed in, until a person approves or denies them (RFC 8628). Codes are keyed digests.
create table device_authorizations (
  digest text collate "C" primary key,
  user_code text collate "C" not null unique,
  device_name text not null,
  address text not null,
  state text collate "C" not null check (state in ('waiting', 'approved', 'denied')),
  user_id text collate "C",
  merchant_id text collate "C",
  interval_s int not null,
  polled_at timestamptz(3),
  created timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  forget_at timestamptz(3) not null,
  check ((state = 'approved') = (user_id is not null and merchant_id is not null))
);
create index device_authorizations_due on device_authorizations (forget_at);

-- The person whose command line holds a key; null: a key for servers.
alter table api_keys add column user_id text collate "C";
create index api_keys_of_person on api_keys (user_id) where user_id is not null and revoked_at is null;
