-- What the operator's file calls the country of a card, beside its two letters: answers show it in these words.
alter table card_bins add column country_name text;
