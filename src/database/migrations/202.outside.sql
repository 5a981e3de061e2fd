create index concurrently if not exists deliveries_of_endpoint on deliveries (merchant_id, endpoint_id, status, event_id)
