-- What the first digits of card numbers tell, as an operator imports it: of no merchant.
create table card_bins (
  prefix text collate "C" primary key,
  networks text collate "C" not null,
  card_type text collate "C",
  issuer text,
  country text collate "C"
);
