-- What a refund costs, where its processor says it.
alter table refunds add column fee json;
