create index concurrently if not exists settlements_of_day on settlements (merchant_id, merchant_connector_id, day) where day is not null
