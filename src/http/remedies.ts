import type { RefusalName } from '../base/refusal.ts'

/** What whoever is refused should do about it. */
export const remedies: Readonly<Record<RefusalName, string>> = {
  key_missing_or_unknown:
    'Send the key in the `api-key` header; check that it is of this deployment, not revoked, and of the merchant in the path',
  unknown_url: 'Check the address against the operations of this page',
  wrong_method: 'Use one of the methods that the message names',
  missing: 'Send the value that the message names',
  malformed: 'Send the value in the form that the message asks for',
  unreadable: 'Mend the body or the member that the message names: not JSON, an unknown member, a wrong type, or too large',
  compressed: 'Send the body as it is, without `content-encoding`',
  too_long: 'Shorten the value',
  unacceptable: 'Change or leave out the member that the message names',
  key_reused: 'Make a new Idempotency-Key for every new request; send the old one only with the same body to the same address',
  invalid_value: 'Change the value that the message names',
  client_secret_expired: 'Create a new payment; `session_expiry` makes the session longer',
  client_secret_mismatch: 'Use the client_secret of this payment, not of another',
  active_mandate: 'Revoke the mandates of the customer first: POST /mandates/revoke/{mandate_id}',
  customer_redacted: 'Use another customer_id: one that was deleted cannot come back',
  too_many_refunds: 'Give the rest back by other means',
  refund_too_large: 'Refund at most what is left: the message says how much',
  wrong_state: 'Retrieve the payment and look at its `status`; the message names the statuses in which this is possible',
  precondition: 'Change what the message says',
  too_many_failures:
    'Let the customer try again later, or take the payment on your server; the limits are the profile’s `card_testing_guard_config`',
  unauthorized: 'Use a key that may do this',
  not_supported: 'Leave the member out: this version would not do what it says',
  flow_not_supported: 'Leave the step out, or use a connector that knows it',
  several_missing: 'Send the values named in `data`',
  forbidden: 'The key is good but of the wrong kind: see Keys',
  token_unusable: 'List the payment methods of the customer again: each list makes new tokens, good for a quarter of an hour',
  unknown: 'Check the name: there is nothing called so',
  taken: 'Choose another name, or change what exists',
  no_connector:
    'Look at the connector accounts, with what the message says: one must be enabled for this profile, method, currency and capture method',
  not_implemented: 'Leave the member out: this version would not do what it says',
  duplicate: 'Retrieve what exists under this id, or choose another id',
  not_found: "Check the id, and that the key is of the merchant that made it: other merchants' objects do not exist for you",
  no_return_url: 'Send `return_url` with the payment, or give the merchant one',
  mandate_violated: 'Charge at most what the customer agreed to, or have them agree anew: the message says what stands in the way',
  mandate_differs: 'Leave the members named in `fields` out, or say them as they are of the saved payment method',
  blocked:
    'Ask for another way to pay; the payment, which is `failed`, says by `fingerprint` and `card_isin` what may be taken off the blocklist',
  busy: 'Send the same request again after `Retry-After` seconds',
  still_running: 'Send the same request again after `Retry-After` seconds: it will be given the answer of the first',
  unavailable: 'Send the same request again after `Retry-After` seconds, under the same Idempotency-Key or id',
  internal:
    'Send the same request again, under the same Idempotency-Key or id; if it stays, tell the operator the `x-request-id` of the answer',
  webhook_unverified: 'Give the connector account the secret that the processor signs with: `connector_webhook_details.merchant_secret`',
  webhook_unknown: 'Correct the address at the processor: /webhooks/{merchant_id}/{merchant_connector_id}',
}
