-- The request first: the release before asks by it alone, and an index that begins with the merchant could win against the primary key (see 001).
create unique index concurrently if not exists operations_of_request on processor_operations (request_id, merchant_id)
