-- What of the shares of a split payment is taken back with a refund.
alter table refunds add column split_refunds json;
