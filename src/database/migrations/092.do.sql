-- What the first digits of a card's number tell of its product, by which profiles may refuse it.
alter table card_bins add column card_subtype text;
