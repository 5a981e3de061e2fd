-- Passkeys of people: public keys, by the id that their authenticator gave them.
create table user_passkeys (
  merchant_id text collate "C" not null,        -- @deployment
  passkey_id text collate "C" not null,
  user_id text collate "C" not null,
  public_key text not null,
  counter bigint not null,
  transports jsonb not null,
  name text not null,
  created timestamptz(3) not null,
  last_used_at timestamptz(3),
  primary key (merchant_id, passkey_id)
);
create index user_passkeys_of_user on user_passkeys (user_id);
