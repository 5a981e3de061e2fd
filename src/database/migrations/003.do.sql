-- Keys under which no money moved are forgotten after 90 days.
create index claims_to_forget on claims (claimed_at) where payment_id = '';

-- What ended as not received is asked about once more, later: the processor may have been slower than any window we leave it.
alter table operations drop constraint nothing_unfinished_without_an_alarm;
alter table operations add constraint nothing_unfinished_without_an_alarm check (case when ask_at is null then state > 'unknown' else state <= 'unknown' or state = 'not_received' end);
