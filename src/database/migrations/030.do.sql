-- A customer who was deleted, until their payments say nothing of them either.
alter table customers add column forget_at timestamptz(3);
create index customers_to_forget on customers (forget_at) where forget_at is not null;
