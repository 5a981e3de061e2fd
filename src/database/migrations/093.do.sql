-- Jobs are looked through in the order in which they began: what was left behind is forgotten.
create index jobs_since on jobs (since);
