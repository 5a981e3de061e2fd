-- A no that an operator has set is asked about once more, like what ended as not received: the processor may say yes
-- later, and its webhook may be lost. Rows that satisfied the narrower rule satisfy this one, so they are not read.
alter table processor_operations
  drop constraint unfinished_operations_are_polled,
  add constraint unfinished_operations_are_polled
    check (case when poll_at is null then state > 'unknown' else state <= 'unknown' or state in ('not_received', 'declined') end) not valid;
