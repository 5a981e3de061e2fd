-- Whereto a customer may be paid out, of what they have saved: what of it may be seen.
alter table payment_methods add column recipient json;
