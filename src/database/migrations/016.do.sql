-- Who merchants belong to. Every merchant names one already.
create table organizations (
  organization_id text collate "C" primary key,
  version int not null,
  organization_name text,
  details jsonb not null,
  created_at timestamptz(3) not null,
  modified_at timestamptz(3) not null
);
insert into organizations (organization_id, version, details, created_at, modified_at)
  select organization_id, 1, '{}', min(created), min(created) from merchants group by organization_id;
create index merchants_by_organization on merchants (organization_id, created, merchant_id);

-- Deletes are soft: what was begun goes on through what was deleted. A name may be given again.
alter table merchants add column deleted_at timestamptz(3);
alter table profiles add column deleted_at timestamptz(3);
alter table connector_accounts add column deleted_at timestamptz(3);
create unique index profiles_by_name on profiles (merchant_id, profile_name) where deleted_at is null;
alter table profiles drop constraint profiles_merchant_id_profile_name_key;
create unique index connector_accounts_by_label on connector_accounts (merchant_id, profile_id, connector_label) where deleted_at is null;
alter table connector_accounts drop constraint connector_accounts_merchant_id_profile_id_connector_label_key;

-- When a key was last used, by the minute: written by each process for all of its keys at once, so not in the history.
create table api_key_uses (
  merchant_id text collate "C" not null,
  key_id text collate "C" not null,
  last_used_at timestamptz(3) not null,
  primary key (merchant_id, key_id)
);

-- Keys for a customer's own browser, for an hour. Read at each use: one that is deleted is dead at once.
create table ephemeral_keys (
  merchant_id text collate "C" not null,
  id text collate "C" not null,
  digest text collate "C" not null unique,
  customer_id text collate "C" not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  primary key (merchant_id, id)
);
create index ephemeral_keys_due on ephemeral_keys (expires_at);
