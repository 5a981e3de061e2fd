drop index operations_by_request;
