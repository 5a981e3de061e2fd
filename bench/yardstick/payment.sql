-- The two statements of a card payment, created and confirmed in one call, as the service wrote them at commit 317f86e. Frozen: README.md.
-- For pgbench (-M prepared): each is a transaction of its own. The variables are in values.json; n, id and request number the payments.

\set n :n + 1
\set id 1000000000000000 + :n * 1000 + :client_id
\set request random(1000000000000000000, 9223372036854775807)

-- Begin: the payment, its card, the operation that is about to be asked of the processor, and the history of it.
with h as (insert into payments (merchant_id, payment_id, status, alone, profile_id, connector, merchant_connector_id,
    connector_transaction_id, authorization_n, authorization_request_id, customer_id, currency, amount, net_amount, amount_authorized,
    amount_capturable, amount_capturing, amount_received, amount_refunding, amount_refunded, amount_disputed, capture_method,
    authentication_type, attempt_count, operation_count, refund_count, client_secret, card, asked, facts, next_action, last_error,
    cancellation_reason, body_digest, created, modified_at, expires_on, version, sequence)
  select :b1::text, (:b2_head::text || :id::text), :b3::payment_status, :b4::int, :b5::text, :b6::text, :b7::text, null::text, :b9::int,
    (:request::text || :b10_tail::text), :b11::text, :b12::text, :b13::bigint, :b14::bigint, :b15::bigint, :b16::bigint, :b17::bigint,
    :b18::bigint, :b19::bigint, :b20::bigint, :b21::bigint, :b22::text, :b23::text, :b24::int, :b25::int, :b26::int,
    (:b27_head::text || :id::text || :b27_tail::text), :b28::json, :b29::json, null::json, null::json, null::json, null::text, null::text,
    :b35::timestamptz, :b36::timestamptz, :b37::timestamptz, 1, 0
  returning version, sequence),
r0 as (insert into vault_records (merchant_id, record, sealed, created)
  select :b1::text, (:b38_head::text || :id::text), :b39::bytea, :b40::timestamptz from h),
r1 as (insert into processor_operations (merchant_id, kind, object_id, n, verb, purpose, acts_on, attempt, state, amount, currency,
    connector, merchant_connector_id, request_id, reference, refund_id, said, began, modified_at, ask_at)
  select :b1::text, 'payment', (:b2_head::text || :id::text), :b41::int, :b42::operation_verb, :b43::operation_purpose, null::int,
    :b45::int, :b46::operation_state, :b47::bigint, :b48::text, :b49::text, :b50::text, (:request::text || :b51_tail::text), null::text,
    null::text, null::json, :b55::timestamptz, :b56::timestamptz, :b57::timestamptz from h),
e as (insert into changes (merchant_id, kind, object_id, version, sequence, event_id, type, announces, by, was, created)
  select :b1::text, 'payment', (:b2_head::text || :id::text), h.version, null, (:b59_head::text || :id::text), :b60::text,
    null, :b61::text, '{}', :b58::timestamptz from h)
select from h;

-- Settle: what the processor answered, the history of it, and what is to be told of it.
with h as (update payments set version = version + 1, sequence = sequence + 1, status = :s4::payment_status, alone = null::int,
    profile_id = :s6::text, connector = :s7::text, merchant_connector_id = :s8::text, connector_transaction_id = :s9::text,
    authorization_n = :s10::int, authorization_request_id = (:request::text || :s11_tail::text), customer_id = :s12::text,
    currency = :s13::text, amount = :s14::bigint, net_amount = :s15::bigint, amount_authorized = :s16::bigint,
    amount_capturable = :s17::bigint, amount_capturing = :s18::bigint, amount_received = :s19::bigint, amount_refunding = :s20::bigint,
    amount_refunded = :s21::bigint, amount_disputed = :s22::bigint, capture_method = :s23::text, authentication_type = :s24::text,
    attempt_count = :s25::int, operation_count = :s26::int, refund_count = :s27::int, facts = :s28::json, cancellation_reason = null::text,
    modified_at = :s30::timestamptz, expires_on = :s31::timestamptz
  where payments.merchant_id = :s1::text and payments.payment_id = (:s2_head::text || :id::text) and payments.version = :s3::int
  returning version, sequence),
r0 as (update processor_operations set state = :s33::operation_state, reference = :s34::text, said = :s35::json,
    modified_at = :s36::timestamptz, ask_at = null::timestamptz from h
  where processor_operations.merchant_id = :s1::text and processor_operations.kind = 'payment'
    and processor_operations.object_id = (:s2_head::text || :id::text) and processor_operations.n = :s32::int),
e as (insert into changes (merchant_id, kind, object_id, version, sequence, event_id, type, announces, by, was, created)
  select :s1::text, 'payment', (:s2_head::text || :id::text), h.version, h.sequence, (:s39_head::text || :id::text), :s40::text,
    :s41::text, :s42::text, :s43::json, :s38::timestamptz from h),
o as (insert into outbox (merchant_id, kind, object_id, version, created)
  select :s1::text, 'payment', (:s2_head::text || :id::text), h.version, :s38::timestamptz from h)
select from h;
