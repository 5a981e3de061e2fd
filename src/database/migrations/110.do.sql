-- Pages on which customers say whereto they are paid, or what they pay with, for good.
create type collect_link_status as enum ('initiated', 'submitted');
create table collect_links (
  merchant_id text collate "C" not null,
  pm_collect_link_id text collate "C" not null,
  customer_id text collate "C" not null,
  profile_id text collate "C" not null,
  status collect_link_status not null,
  payment_method_id text collate "C",
  asked json not null,
  client_secret text collate "C" not null,
  created timestamptz(3) not null,
  expires_on timestamptz(3) not null,
  submitted_at timestamptz(3),
  primary key (merchant_id, pm_collect_link_id)
);
create index collect_links_by_customer on collect_links (customer_id, merchant_id);
