-- What the vault's own process may hold that no row stands for any more. Written only where the vault is split: its references begin with the form 3.
create table vault_leftovers (
  merchant_id text collate "C" not null,
  record text collate "C" not null,
  forget_at timestamptz(3) not null,
  primary key (merchant_id, record)
);
create index vault_leftovers_due on vault_leftovers (forget_at);

-- Whatever lets go of a reference says so, in the same transaction. The reference ends with a handle of 16 bytes; when it happened is of no interest, it is due at once.
create function vault_left_over() returns trigger language plpgsql as $$
begin
  insert into vault_leftovers (merchant_id, record, forget_at)
    values (old.merchant_id, old.record || ' ' || encode(substring(old.sealed from length(old.sealed) - 15), 'hex'), '2000-01-01')
    on conflict (merchant_id, record) do update set forget_at = excluded.forget_at;
  return null;
end $$;
create trigger vault_reference_deleted after delete on vault_records for each row when (substring(old.sealed from 1 for 1) = '\x03'::bytea) execute function vault_left_over();
create trigger vault_reference_exchanged after update on vault_records for each row
  when (substring(old.sealed from 1 for 1) = '\x03'::bytea and new.sealed is distinct from old.sealed) execute function vault_left_over();
