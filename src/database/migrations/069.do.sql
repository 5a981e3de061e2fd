-- Saved to be paid to: bank accounts, wallets and the like, as they may stand in clear.
alter table payment_methods add column recipient json;
