create index concurrently if not exists request_logs_of_error on request_logs (merchant_id, error_code, log_id) where error_code is not null;
