const MONEY = '{ value currencyCode }'
const REASON = '{ legacyCode message }'
const KEPT = 'paymentMethod { __typename id customer { id } }'
const METHOD = 'fragment Kept on PaymentMethod { __typename id customer { id } }'

/** Also for declined authorizations. */
const ANSWERED = `processorResponse {
        legacyCode message additionalInformation cvvResponse avsPostalCodeResponse avsStreetAddressResponse authorizationId
      }
      networkResponse { code message }`

const HISTORY = `statusHistory {
    status source timestamp amount ${MONEY}
    ... on AuthorizedEvent { authorizationExpiresAt ${ANSWERED} }
    ... on ProcessorDeclinedEvent { merchantAdviceCodeResponse { code } ${ANSWERED} }
    ... on GatewayRejectedEvent { gatewayRejectionReason ${ANSWERED} }
    ... on FailedEvent { ${ANSWERED} }
    ... on SettlementDeclinedEvent { processorResponse ${REASON} }
  }`

const PAYMENT = `fragment Made on Transaction {
  __typename id orderId status amount ${MONEY}
  ${HISTORY}
  paymentMethodSnapshot { __typename ... on CreditCardTransactionDetails { networkTransactionId acquirerReferenceNumber } }
  ${KEPT}
}`
const REFUND = `fragment Back on Refund { __typename id orderId status amount ${MONEY} ${HISTORY} refundedTransaction { id orderId } }`
const PAYMENT_AND_REFUNDS = `${PAYMENT} ${REFUND} fragment Whole on Transaction { ...Made refunds { ...Back } }`
const CHECK = `fragment Check on Verification {
  __typename id checked: status
  processorResponse { legacyCode message cvvResponse avsPostalCodeResponse avsStreetAddressResponse }
  networkResponse { code message }
  gatewayRejectionReason
  ${KEPT}
}`
const DISPUTE = `fragment Disputed on Dispute {
  __typename id legacyId status type amountDisputed ${MONEY} createdAt replyByDate
  processorResponse { reason reasonCode }
  statusHistory { timestamp }
  transaction { id orderId }
}`

const TOLD = `${PAYMENT_AND_REFUNDS} fragment Told on Transaction { ...Whole disputes { legacyId } }`
/** A list shows up to `first` objects, and where the next page begins. */
const page = (node: string): string => `{ edges { node { ${node} } } pageInfo { hasNextPage endCursor } }`
const within = '{ greaterThanOrEqualTo: $since, lessThanOrEqualTo: $until }'

/** The type of the input is named after the mutation. */
const mutation = (name: string, fields: string, fragments = ''): string => {
  const input = `${name[0]!.toUpperCase()}${name.slice(1)}Input`
  return `mutation ($input: ${input}!) { ${name}(input: $input) { ${fields} } } ${fragments}`.trim()
}

const DISBURSED =
  'id legacyId orderId merchantAccountId amount { value currencyCode } disbursementDetails { date amount { value currencyCode } exchangeRate fundsHeld }'

/** Disbursements of the days of a search. */
const disbursed = (
  list: 'transactions' | 'refunds',
  fields: string,
): string => `query ($from: Date! $day: Date! $first: Int! $after: String) {
  search {
    ${list}(input: { disbursementDate: { greaterThanOrEqualTo: $from, lessThanOrEqualTo: $day } }, first: $first, after: $after) ${page(fields)}
  }
}`

export const documents = {
  tokenizeCreditCard: mutation('tokenizeCreditCard', 'paymentMethod { id }'),
  tokenizeCvv: mutation('tokenizeCvv', 'tokenizedCvv { id }'),
  createClientToken: mutation('createClientToken', 'clientToken'),
  createCustomer: mutation('createCustomer', 'customer { id }'),
  updateCustomer: mutation('updateCustomer', 'customer { id }'),
  authorizeCreditCard: mutation('authorizeCreditCard', 'transaction { ...Made }', PAYMENT),
  authorizePayPalAccount: mutation('authorizePayPalAccount', 'transaction { ...Made }', PAYMENT),
  authorizeVenmoAccount: mutation('authorizeVenmoAccount', 'transaction { ...Made }', PAYMENT),
  chargeCreditCard: mutation('chargeCreditCard', 'transaction { ...Made }', PAYMENT),
  chargePayPalAccount: mutation('chargePayPalAccount', 'transaction { ...Made }', PAYMENT),
  chargeVenmoAccount: mutation('chargeVenmoAccount', 'transaction { ...Made }', PAYMENT),
  vaultCreditCard: mutation('vaultCreditCard', 'verification { ...Check }', CHECK),
  vaultPaymentMethod: mutation('vaultPaymentMethod', KEPT),
  verifyCreditCard: mutation('verifyCreditCard', 'verification { ...Check }', CHECK),
  captureTransaction: mutation('captureTransaction', 'transaction { ...Made }', PAYMENT),
  updateTransactionAmount: mutation('updateTransactionAmount', 'transaction { ...Made }', PAYMENT),
  reverseTransaction: mutation('reverseTransaction', 'reversal { ...Made ...Back }', `${PAYMENT} ${REFUND}`),
  refundTransaction: mutation('refundTransaction', 'refund { ...Back }', REFUND),
  acceptDispute: mutation('acceptDispute', 'dispute { ...Disputed }', DISPUTE),
  finalizeDispute: mutation('finalizeDispute', 'dispute { ...Disputed }', DISPUTE),
  createDisputeFileEvidence: mutation('createDisputeFileEvidence', 'evidence { id }'),
  node: `query ($id: ID!) { node(id: $id) { __typename ...Whole ...Back ...Check ...Kept } } ${PAYMENT_AND_REFUNDS} ${CHECK} ${METHOD}`,
  byOrder: `query ($orderId: String!) {
  search { transactions(input: { orderId: { is: $orderId } }, first: 10) { edges { node { ...Whole } } } }
} ${PAYMENT_AND_REFUNDS}`,
  dispute: `query ($id: ID!) { node(id: $id) { __typename ...Disputed } } ${DISPUTE}`,
  disputeName: 'query ($legacyId: ID!) { idFromLegacyId(legacyId: $legacyId, type: DISPUTE) }',
  whole: `query ($id: ID!) { node(id: $id) { __typename ...Told } } ${TOLD}`,
  wholeByOrder: `query ($orderId: String!) {
  search { transactions(input: { orderId: { is: $orderId } }, first: 10) { edges { node { ...Told } } } }
} ${TOLD}`,
  changes: `query (
  $since: Timestamp! $until: Timestamp! $day: Date! $first: Int!
  $refunds: Boolean! $refundsAfter: String $declined: Boolean! $declinedAfter: String
  $voided: Boolean! $voidedAfter: String $disputes: Boolean! $disputesAfter: String
) {
  search {
    refunds(input: { createdAt: ${within} }, first: $first, after: $refundsAfter) @include(if: $refunds) ${page('...Back')}
    declined: refunds(input: { statusTransition: { processorDeclinedAt: ${within} } }, first: $first, after: $declinedAfter)
      @include(if: $declined) ${page('...Back')}
    voided: transactions(input: { statusTransition: { voidedAt: ${within} } }, first: $first, after: $voidedAfter)
      @include(if: $voided) ${page('...Made')}
    disputes(input: { effectiveDate: { greaterThanOrEqualTo: $day } }, first: $first, after: $disputesAfter)
      @include(if: $disputes) ${page('...Disputed')}
  }
} ${PAYMENT} ${REFUND} ${DISPUTE}`,
  transactionsDisbursed: disbursed('transactions', DISBURSED),
  refundsDisbursed: disbursed('refunds', `${DISBURSED} refundedTransaction { id }`),
  disputesDisbursed: `query ($from: Date! $day: Date! $first: Int! $after: String) {
  search {
    disputes(input: { effectiveDate: { greaterThanOrEqualTo: $from, lessThanOrEqualTo: $day } }, first: $first, after: $after) ${page(
      'id legacyId status type amountDisputed { value currencyCode } statusHistory { status effectiveDate disbursementDate } transaction { id orderId merchantAccountId }',
    )}
  }
}`,
  merchantAccounts: 'query { viewer { merchant { merchantAccounts(first: 100) { edges { node { id currencyCode } } } } } }',
} as const

export const textsDocument = (count: number): string => {
  const all = Array.from({ length: count }, (_, i) => i)
  const inputs = all.map(i => `$t${i}: CreateDisputeTextEvidenceInput!`).join(', ')
  return `mutation (${inputs}) { ${all.map(i => `t${i}: createDisputeTextEvidence(input: $t${i}) { evidence { id } }`).join(' ')} }`
}
