-- The triggers that list what the release before writes come after the update: whatever the statement itself has listed, they find it done.
drop trigger payment_is_listed_anew on payments;
drop trigger refund_is_listed_anew on refunds;
create trigger payment_is_listed_anew after update on payments for each row when (current_setting('switchyard.lists', true) is distinct from 'written') execute function payment_is_listed();
create trigger refund_is_listed_anew after update on refunds for each row when (current_setting('switchyard.lists', true) is distinct from 'written') execute function refund_is_listed();
