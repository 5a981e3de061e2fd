-- An amount is looked for within the kinds that are wanted, whose index has it: an index of its own cost a payment more than all others of its listing.
drop index listings_by_amount;
