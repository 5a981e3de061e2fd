-- An index of blocks that is made of an empty table has an entry of its first blocks already, which every payment would
-- change. Like all others they get it when they are full.
select brin_desummarize_range('payments_called', 0), brin_desummarize_range('refunds_called', 0), brin_desummarize_range('payouts_called', 0);
