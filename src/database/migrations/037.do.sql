-- The ledger: the money that moved with a change, and what that makes of each account.
alter table changes add column posted json;

create table ledger_balances (
  merchant_id text collate "C" not null,
  profile_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  currency text collate "C" not null,
  account text collate "C" not null,
  debit bigint not null,
  credit bigint not null,
  primary key (merchant_id, profile_id, merchant_connector_id, currency, account)
);
