-- What lists are read from has taken its place (docs/decisions/0046-lists.md).
drop index payouts_latest;
