-- Merchants that are on their way to another deployment, have gone there, or are on their way here.
create table merchant_moves (
  merchant_id text collate "C" primary key,
  move_id text not null,
  state text not null check (state in ('leaving', 'moved', 'arriving')),
  address text,
  changed timestamptz(3) not null
);
-- What the triggers call that hold a merchant's rows as they are once they are being copied (`npm run merchant:move`
-- makes them, and takes them away): a process that was stopped in the middle of a request writes nothing when it goes
-- on.
create function merchant_moves_fence() returns trigger language plpgsql as $$
begin
  if current_setting('switchyard.moves', true) is not distinct from 'here' then return new; end if;
  raise exception using errcode = 'SY001', message = 'merchant ' || new.merchant_id || ' is being moved to another deployment';
end $$;
