-- What became of a hold or a capture that was changed afterwards: increments, extensions, a cancel after the capture. Null for most.
alter table payments add column adjustments json;
