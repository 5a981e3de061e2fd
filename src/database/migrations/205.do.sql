-- People: who signs in to the dashboard. A person belongs to the deployment; a role is of a merchant, or of all
-- merchants of an organization (its merchant_id is @ and the id of the organization).
create table users (
  merchant_id text collate "C" not null,        -- @deployment
  user_id text collate "C" not null,
  version int not null,
  email text collate "C" not null unique,       -- in lower case
  name text,
  password text,                                -- argon2id, as its own text
  totp bytea,                                   -- sealed
  totp_confirmed_at timestamptz(3),
  totp_step bigint,                             -- the last one that was used: none is taken twice
  recovery_codes jsonb not null,                -- keyed digests
  operator boolean not null,
  created timestamptz(3) not null,
  last_signed_in_at timestamptz(3),
  primary key (merchant_id, user_id)
);

create table user_roles (
  merchant_id text collate "C" not null,
  user_id text collate "C" not null,
  version int not null,
  role text collate "C" not null,
  invited_by text,
  accepted_at timestamptz(3),
  disabled_at timestamptz(3),
  removed_at timestamptz(3),
  created timestamptz(3) not null,
  primary key (merchant_id, user_id)
);
create index user_roles_of_user on user_roles (user_id);

-- A merchant that has an owner keeps one. A change of an owner waits for other changes of owners, and then counts.
create function last_owner_stays() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('owners ' || old.merchant_id, 0));
  if not exists (
    select from user_roles where merchant_id = old.merchant_id and role = 'owner' and user_id <> old.user_id
      and accepted_at is not null and disabled_at is null and removed_at is null
  ) then
    raise exception 'the last owner of % stays', old.merchant_id using errcode = 'SY001';
  end if;
  return null;
end $$;
create trigger last_owner after update on user_roles for each row
  when (old.role = 'owner' and old.accepted_at is not null and old.disabled_at is null and old.removed_at is null
    and (new.role <> 'owner' or new.disabled_at is not null or new.removed_at is not null))
  execute function last_owner_stays();

-- Sessions, by a keyed digest of what the cookie holds. `stage`: totp while the second factor is awaited.
create table user_sessions (
  digest text collate "C" primary key,
  session_id text collate "C" not null unique,
  user_id text collate "C" not null,
  merchant_id text collate "C",
  stage text collate "C" not null,
  tries int not null,
  address text,
  user_agent text,
  created timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index user_sessions_of_user on user_sessions (user_id);
create index user_sessions_due on user_sessions (expires_at);

-- Links that open one thing once: the first owner, an invitation, a new password.
create table user_links (
  digest text collate "C" primary key,
  link_id text collate "C" not null,
  kind text collate "C" not null,
  user_id text collate "C" not null,
  merchant_id text collate "C" not null,
  operator boolean not null,
  created timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index user_links_of_user on user_links (merchant_id, user_id, kind);
create index user_links_due on user_links (expires_at);

-- Wrong tries to sign in, by a keyed digest of account and address.
create table sign_in_tries (
  digest text collate "C" primary key,
  tries int not null,
  forget_at timestamptz(3) not null
);
create index sign_in_tries_due on sign_in_tries (forget_at);
