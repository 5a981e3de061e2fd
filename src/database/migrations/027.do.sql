-- What a profile's payments are routed by besides: what was promised to whom.
alter table profile_routing add column contract_based jsonb;

-- Payments that others make, and of which we were asked who should get them: what they are counted by, and what was said to have become of them at whom.
create table payments_elsewhere (
  merchant_id text collate "C" not null,
  payment_id text collate "C" not null,
  profile_id text collate "C" not null,
  cell jsonb not null,
  outcomes jsonb not null,
  created timestamptz(3) not null,
  primary key (merchant_id, payment_id)
);
create index payments_elsewhere_to_forget on payments_elsewhere (created);
create index payments_elsewhere_of_profile on payments_elsewhere (merchant_id, profile_id, created);
