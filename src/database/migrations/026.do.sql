-- Cards that are charged again: what processors and the network know a saved card by, and mandates.
alter table payment_methods add column recurring json;

create type mandate_status as enum ('active', 'inactive', 'pending', 'revoked');
create table mandates (
  merchant_id text collate "C" not null,
  mandate_id text collate "C" not null,
  version int not null,
  sequence int not null,
  status mandate_status not null,
  customer_id text collate "C" not null,
  payment_method_id text collate "C" not null,
  payment_id text collate "C" not null,
  profile_id text collate "C" not null,
  connector text collate "C" not null,
  type text collate "C" not null,
  amount bigint,
  currency text collate "C",
  start_date timestamptz(3),
  end_date timestamptz(3),
  metadata json,
  customer_acceptance json not null,
  created_at timestamptz(3) not null,
  modified_at timestamptz(3) not null,
  primary key (merchant_id, mandate_id)
);
create index mandates_of_customer on mandates (merchant_id, customer_id);
create index mandates_latest on mandates (merchant_id, created_at desc, mandate_id desc);

-- What was charged by a mandate, what is under way included, beside its limit: one guarded update counts a payment.
create table mandate_totals (
  merchant_id text collate "C" not null,
  mandate_id text collate "C" not null,
  most_charges int,
  most_amount bigint,
  charges int not null check (charges >= 0 and charges <= coalesce(most_charges, charges)),
  amount bigint not null check (amount >= 0 and amount <= coalesce(most_amount, amount)),
  primary key (merchant_id, mandate_id)
);

-- What is to be done once a payment is decided: its card is saved, or what was counted for it against a mandate stays so or is given back.
create table payment_promises (
  merchant_id text collate "C" not null,
  payment_id text collate "C" not null,
  mandate_id text collate "C",
  amount bigint,
  attempt int not null,
  made_at timestamptz(3) not null,
  keep_at timestamptz(3) not null,
  primary key (merchant_id, payment_id)
);
create index payment_promises_due on payment_promises (keep_at);
