-- What processors call operations, for connectors whose webhooks name nothing else.
create table operation_references (
  merchant_id text collate "C" not null,
  merchant_connector_id text collate "C" not null,
  reference text collate "C" not null,
  kind text collate "C" not null,
  object_id text collate "C" not null,
  n int not null,
  primary key (merchant_id, merchant_connector_id, reference, kind, object_id, n)
);
