-- What every process of a deployment must have in common, compared at each start: a value that each key gives, and
-- whether card numbers are kept here or by the vault's own process.
create table deployment_checks (
  name text collate "C" primary key,
  value text collate "C" not null
);
