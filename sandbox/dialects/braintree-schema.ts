// The operations of Braintree's GraphQL API that the sandbox supports, as Braintree's public reference describes them.
// Other operations are refused as invalid documents.

import { buildSchema } from 'graphql'

/** Returns the input type of a mutation of a transaction, which has an idempotency key (`apiRequestKey`). */
const keyed = (name: string, members: string) => `input ${name} { clientMutationId: String apiRequestKey: String ${members} }`

export const schema = buildSchema(`
scalar Amount
scalar Timestamp
scalar Date
scalar CVV
scalar CountryCode
scalar CurrencyCodeAlpha
scalar ECommerceIndicator
scalar ThreeDSecureVersion
scalar ThreeDSecureStatusCode

type Query {
  ping: String!
  viewer: Viewer
  node(id: ID!): Node
  idFromLegacyId(legacyId: ID!, type: LegacyIdType!): ID!
  search: Search
}

type Mutation {
  tokenizeCreditCard(input: TokenizeCreditCardInput!): TokenizeCreditCardPayload
  tokenizeCvv(input: TokenizeCvvInput!): TokenizeCvvPayload
  authorizeCreditCard(input: AuthorizeCreditCardInput!): TransactionPayload
  chargeCreditCard(input: ChargeCreditCardInput!): TransactionPayload
  authorizePayPalAccount(input: AuthorizePayPalAccountInput!): PayPalTransactionPayload
  chargePayPalAccount(input: ChargePayPalAccountInput!): PayPalTransactionPayload
  authorizeVenmoAccount(input: AuthorizeVenmoAccountInput!): TransactionPayload
  chargeVenmoAccount(input: ChargeVenmoAccountInput!): TransactionPayload
  authorizePaymentMethod(input: AuthorizePaymentMethodInput!): TransactionPayload
  chargePaymentMethod(input: ChargePaymentMethodInput!): TransactionPayload
  createCustomer(input: CreateCustomerInput): CreateCustomerPayload
  updateCustomer(input: UpdateCustomerInput!): UpdateCustomerPayload
  deleteCustomer(input: DeleteCustomerInput!): DeleteCustomerPayload
  createClientToken(input: CreateClientTokenInput): CreateClientTokenPayload
  vaultCreditCard(input: VaultCreditCardInput!): VaultPaymentMethodPayload
  vaultPaymentMethod(input: VaultPaymentMethodInput!): VaultPaymentMethodPayload
  verifyCreditCard(input: VerifyCreditCardInput!): VerifyPaymentMethodPayload
  captureTransaction(input: CaptureTransactionInput!): TransactionPayload
  updateTransactionAmount(input: UpdateTransactionAmountInput!): TransactionPayload
  reverseTransaction(input: ReverseTransactionInput!): ReverseTransactionPayload
  refundTransaction(input: RefundTransactionInput!): RefundTransactionPayload
  acceptDispute(input: AcceptDisputeInput!): AcceptDisputePayload
  finalizeDispute(input: FinalizeDisputeInput!): FinalizeDisputePayload
  createDisputeTextEvidence(input: CreateDisputeTextEvidenceInput!): CreateDisputeTextEvidencePayload
  createDisputeFileEvidence(input: CreateDisputeFileEvidenceInput!): CreateDisputeFileEvidencePayload
}

interface Node { id: ID! }
type Viewer { merchant: Merchant }
type Merchant { id: ID! status: String merchantAccounts(first: Int, after: String): MerchantAccountConnection }
type MerchantAccountConnection { edges: [MerchantAccountConnectionEdge] pageInfo: PageInfo! }
type MerchantAccountConnectionEdge { cursor: String node: MerchantAccount }
type MerchantAccount { id: ID! currencyCode: CurrencyCodeAlpha status: MerchantAccountStatus isDefault: Boolean }
enum MerchantAccountStatus { ACTIVE PENDING SUSPENDED }
type PageInfo { hasNextPage: Boolean endCursor: String }
enum LegacyIdType { CUSTOMER DISPUTE PAYMENT_METHOD REFUND TRANSACTION VERIFICATION }

type Search {
  transactions(input: TransactionSearchInput!, first: Int, after: String): TransactionConnection
  refunds(input: RefundSearchInput!, first: Int, after: String): RefundConnection
  disputes(input: DisputeSearchInput!, first: Int, after: String): DisputeConnection
}
input SearchTextInput { is: String isNot: String startsWith: String endsWith: String contains: String }
input SearchValueInput { is: String in: [String!] }
input SearchTimestampInput { greaterThanOrEqualTo: Timestamp lessThanOrEqualTo: Timestamp }
input SearchDateInput { greaterThanOrEqualTo: Date lessThanOrEqualTo: Date }
input SearchTransactionStatusTransitionInput { submittedForSettlementAt: SearchTimestampInput voidedAt: SearchTimestampInput }
input SearchPaymentStatusTransitionInput {
  submittedForSettlementAt: SearchTimestampInput voidedAt: SearchTimestampInput processorDeclinedAt: SearchTimestampInput
}
input TransactionSearchInput {
  id: SearchValueInput orderId: SearchTextInput createdAt: SearchTimestampInput statusTransition: SearchTransactionStatusTransitionInput
  disbursementDate: SearchDateInput
}
input RefundSearchInput {
  id: SearchValueInput orderId: SearchTextInput createdAt: SearchTimestampInput statusTransition: SearchPaymentStatusTransitionInput
  disbursementDate: SearchDateInput
}
input DisputeSearchInput { id: SearchValueInput receivedDate: SearchDateInput effectiveDate: SearchDateInput }
type DisputeConnection { edges: [DisputeConnectionEdge] pageInfo: PageInfo! }
type DisputeConnectionEdge { cursor: String node: Dispute }
type TransactionConnection { edges: [TransactionConnectionEdge] pageInfo: PageInfo! }
type TransactionConnectionEdge { cursor: String node: Transaction }
type RefundConnection { edges: [RefundConnectionEdge] pageInfo: PageInfo! }
type RefundConnectionEdge { cursor: String node: Refund }

input TokenizeCreditCardInput { clientMutationId: String creditCard: CreditCardInput! }
input CreditCardInput {
  number: String expirationYear: String expirationMonth: String cvv: String cardholderName: String billingAddress: AddressInput
}
type TokenizeCreditCardPayload { clientMutationId: String paymentMethod: PaymentMethod }
input TokenizeCvvInput { clientMutationId: String cvv: CVV! }
type TokenizeCvvPayload { clientMutationId: String tokenizedCvv: TokenizedCvv }
type TokenizedCvv { id: ID! }
enum PaymentMethodUsage { MULTI_USE SINGLE_USE }
type PaymentMethod implements Node { id: ID! legacyId: ID! usage: PaymentMethodUsage customer: Customer }

type Customer implements Node { id: ID! legacyId: ID! company: String email: String firstName: String lastName: String phoneNumber: String }
input CustomerInput { company: String email: String firstName: String lastName: String phoneNumber: String }
input CreateCustomerInput { clientMutationId: String customer: CustomerInput }
type CreateCustomerPayload { clientMutationId: String customer: Customer }
input UpdateCustomerInput { clientMutationId: String customerId: ID! customer: CustomerInput }
type UpdateCustomerPayload { clientMutationId: String customer: Customer }

input DeleteCustomerInput { clientMutationId: String customerId: ID! }
type DeleteCustomerPayload { clientMutationId: String }

input CreateClientTokenInput { clientMutationId: String clientToken: ClientTokenInput }
input ClientTokenInput { merchantAccountId: ID customerId: ID domains: [String!] }
type CreateClientTokenPayload { clientMutationId: String clientToken: String }

${keyed('AuthorizeCreditCardInput', 'paymentMethodId: ID! options: CreditCardTransactionOptionsInput transaction: TransactionInput!')}
${keyed('ChargeCreditCardInput', 'paymentMethodId: ID! options: CreditCardTransactionOptionsInput transaction: TransactionInput!')}
${keyed('AuthorizePayPalAccountInput', 'paymentMethodId: ID! options: AuthorizePayPalAccountOptionsInput transaction: TransactionInput!')}
${keyed('ChargePayPalAccountInput', 'paymentMethodId: ID! options: ChargePayPalAccountOptionsInput transaction: TransactionInput!')}
input AuthorizePayPalAccountOptionsInput { customField: String description: String }
input ChargePayPalAccountOptionsInput { customField: String description: String }
${keyed('AuthorizeVenmoAccountInput', 'paymentMethodId: ID! options: AuthorizeVenmoAccountOptionsInput transaction: TransactionInput!')}
${keyed('ChargeVenmoAccountInput', 'paymentMethodId: ID! options: ChargeVenmoAccountOptionsInput transaction: TransactionInput!')}
input AuthorizeVenmoAccountOptionsInput { profileId: String }
input ChargeVenmoAccountOptionsInput { profileId: String }
${keyed('AuthorizePaymentMethodInput', 'paymentMethodId: ID! transaction: TransactionInput!')}
${keyed('ChargePaymentMethodInput', 'paymentMethodId: ID! transaction: TransactionInput!')}
input CreditCardTransactionOptionsInput {
  externalVault: TransactionExternalVaultOptionsInput
  billingAddress: AddressInput
  tokenizedCvv: ID
  threeDSecureAuthentication: ThreeDSecureAuthenticationInput
  scaExemption: ScaExemptionType
  installmentCount: Int
}
input TransactionExternalVaultOptionsInput { status: ExternalVaultStatus! verifyingNetworkTransactionId: String }
enum ExternalVaultStatus { VAULTED WILL_VAULT }
enum ScaExemptionType { LOW_VALUE SECURE_CORPORATE TRANSACTION_RISK_ANALYSIS TRUSTED_BENEFICIARY }
input ThreeDSecureAuthenticationInput { authenticationId: String passThrough: ThreeDSecurePassThroughInput required: Boolean }
input ThreeDSecurePassThroughInput {
  eciFlag: ECommerceIndicator!
  cavv: String
  xId: String
  threeDSecureServerTransactionId: String
  version: ThreeDSecureVersion
  authenticationResponse: ThreeDSecureStatusCode
  directoryServerResponse: ThreeDSecureStatusCode
  directoryServerTransactionId: String
}
input TransactionInput {
  amount: Amount!
  merchantAccountId: ID
  orderId: String
  purchaseOrderNumber: String
  riskData: RiskDataInput
  descriptor: TransactionDescriptorInput
  paymentInitiator: PaymentInitiator
  customerId: ID
  shipping: TransactionShippingInput
  vaultPaymentMethodAfterTransacting: VaultPaymentMethodAfterTransactingInput
  customerDetails: TransactionCustomerDetailsInput
}
enum PaymentInitiator { ESTIMATED INSTALLMENT INSTALLMENT_FIRST MOTO RECURRING RECURRING_FIRST UNSCHEDULED }
input VaultPaymentMethodAfterTransactingInput { when: VaultPaymentMethodCriteria! }
enum VaultPaymentMethodCriteria { ALWAYS ON_SUCCESSFUL_TRANSACTION }
input RiskDataInput { customerBrowser: String customerIp: String deviceData: String }
input TransactionDescriptorInput { name: String phone: String url: String }
input TransactionShippingInput { shippingAddress: AddressInput shippingAmount: String shipsFromPostalCode: String }
input TransactionCustomerDetailsInput { email: String phoneNumber: String }
input AddressInput {
  company: String firstName: String lastName: String
  addressLine1: String addressLine2: String adminArea2: String adminArea1: String
  postalCode: String countryCode: CountryCode
}

input VaultCreditCardInput {
  clientMutationId: String paymentMethodId: ID! verification: VaultCreditCardVerificationOptionsInput customerId: ID
  threeDSecurePassThrough: ThreeDSecurePassThroughInput
}
input VaultPaymentMethodInput { clientMutationId: String paymentMethodId: ID! customerId: ID }
input VaultCreditCardVerificationOptionsInput { merchantAccountId: ID skip: Boolean amount: Amount }
type VaultPaymentMethodPayload { clientMutationId: String paymentMethod: PaymentMethod verification: Verification }
input VerifyCreditCardInput { clientMutationId: String paymentMethodId: ID! options: CreditCardVerificationOptionsInput }
input CreditCardVerificationOptionsInput { merchantAccountId: ID tokenizedCvv: ID amount: Amount skip: Boolean }
type VerifyPaymentMethodPayload { clientMutationId: String verification: Verification }
enum VerificationStatus { FAILED GATEWAY_REJECTED PENDING PROCESSOR_DECLINED VERIFIED VERIFYING }
type Verification implements Node {
  id: ID! legacyId: ID! status: VerificationStatus paymentMethod: PaymentMethod merchantAccountId: ID
  processorResponse: VerificationProcessorResponse networkResponse: PaymentNetworkResponse
  gatewayRejectionReason: GatewayRejectionReason createdAt: Timestamp
}
type VerificationProcessorResponse {
  legacyCode: String message: String additionalInformation: String
  cvvResponse: AvsCvvResponseCode avsPostalCodeResponse: AvsCvvResponseCode avsStreetAddressResponse: AvsCvvResponseCode
}

${keyed('CaptureTransactionInput', 'transactionId: ID! transaction: CaptureTransactionOptionsInput')}
input CaptureTransactionOptionsInput { amount: Amount descriptor: TransactionDescriptorInput orderId: String }
input UpdateTransactionAmountInput { clientMutationId: String transactionId: ID! amount: Amount! }
${keyed('ReverseTransactionInput', 'transactionId: ID!')}
${keyed('RefundTransactionInput', 'transactionId: ID! refund: RefundInput')}
input RefundInput { amount: Amount orderId: String merchantAccountId: ID description: String }
type TransactionPayload { clientMutationId: String transaction: Transaction }
type PayPalTransactionPayload {
  clientMutationId: String transaction: Transaction billingAgreementWithPurchasePaymentMethod: PaymentMethod
}
type ReverseTransactionPayload { clientMutationId: String reversal: TransactionReversal }
union TransactionReversal = Refund | Transaction
type RefundTransactionPayload { clientMutationId: String refund: Refund }

enum PaymentStatus {
  AUTHORIZATION_EXPIRED AUTHORIZED AUTHORIZING FAILED GATEWAY_REJECTED PROCESSOR_DECLINED SETTLED SETTLEMENT_CONFIRMED
  SETTLEMENT_DECLINED SETTLEMENT_PENDING SETTLING SUBMITTED_FOR_SETTLEMENT VOIDED
}
enum PaymentSource { API CONTROL_PANEL PAYMENT_READER RECURRING UNKNOWN }
type MonetaryAmount { value: Amount currencyCode: CurrencyCodeAlpha }
type Transaction implements Node {
  id: ID! legacyId: ID! createdAt: Timestamp amount: MonetaryAmount merchantAccountId: ID orderId: String status: PaymentStatus
  statusHistory: [PaymentStatusEvent!] paymentMethodSnapshot: PaymentMethodSnapshot paymentMethod: PaymentMethod
  refunds: [Refund!] disputes: [Dispute!] disbursementDetails: DisbursementDetails
}
type DisbursementDetails { date: Date amount: MonetaryAmount exchangeRate: String fundsHeld: Boolean }
type Refund implements Node {
  id: ID! legacyId: ID! createdAt: Timestamp amount: MonetaryAmount orderId: String status: PaymentStatus
  statusHistory: [PaymentStatusEvent!] refundedTransaction: Transaction merchantAccountId: ID disbursementDetails: DisbursementDetails
}
union PaymentMethodSnapshot = CreditCardDetails | CreditCardTransactionDetails | PayPalTransactionDetails | VenmoAccountDetails
type PayPalTransactionDetails { authorizationId: String captureId: String payerStatus: String }
type VenmoAccountDetails { username: String venmoUserId: String }
type CreditCardDetails { bin: String last4: String }
type CreditCardTransactionDetails { creditCard: CreditCardDetails networkTransactionId: String acquirerReferenceNumber: String }

interface PaymentStatusEvent {
  status: PaymentStatus timestamp: Timestamp amount: MonetaryAmount source: PaymentSource terminal: Boolean
}
${[
  ['AuthorizedEvent', 'authorizationExpiresAt: Timestamp'],
  ['ProcessorDeclinedEvent', 'merchantAdviceCodeResponse: MerchantAdviceCodeResponse'],
  ['GatewayRejectedEvent', 'gatewayRejectionReason: GatewayRejectionReason merchantAdviceCodeResponse: MerchantAdviceCodeResponse'],
  ['FailedEvent', 'merchantAdviceCodeResponse: MerchantAdviceCodeResponse'],
]
  .map(
    ([name, more]) => `type ${name} implements PaymentStatusEvent {
  status: PaymentStatus timestamp: Timestamp amount: MonetaryAmount source: PaymentSource terminal: Boolean
  processorResponse: TransactionAuthorizationProcessorResponse networkResponse: PaymentNetworkResponse ${more}
}`,
  )
  .join('\n')}
type SettlementDeclinedEvent implements PaymentStatusEvent {
  status: PaymentStatus timestamp: Timestamp amount: MonetaryAmount source: PaymentSource terminal: Boolean
  processorResponse: TransactionSettlementProcessorResponse
}
${['AuthorizationExpiredEvent', 'SubmittedForSettlementEvent', 'SettlementPendingEvent', 'SettlingEvent', 'SettledEvent', 'VoidedEvent']
  .map(
    name => `type ${name} implements PaymentStatusEvent {
  status: PaymentStatus timestamp: Timestamp amount: MonetaryAmount source: PaymentSource terminal: Boolean
}`,
  )
  .join('\n')}
type TransactionAuthorizationProcessorResponse {
  legacyCode: String message: String additionalInformation: String authorizationId: String
  cvvResponse: AvsCvvResponseCode avsPostalCodeResponse: AvsCvvResponseCode avsStreetAddressResponse: AvsCvvResponseCode
}
type TransactionSettlementProcessorResponse { legacyCode: String message: String }
type PaymentNetworkResponse { code: String message: String }
type MerchantAdviceCodeResponse { code: String message: String }
enum AvsCvvResponseCode {
  BYPASS DOES_NOT_MATCH ISSUER_DOES_NOT_PARTICIPATE MATCHES NOT_APPLICABLE NOT_PROVIDED NOT_VERIFIED SYSTEM_ERROR
}
enum GatewayRejectionReason {
  APPLICATION_INCOMPLETE AVS AVS_AND_CVV CVV DUPLICATE EXCESSIVE_RETRY FRAUD MANUAL_TRANSACTIONS_DISABLED PAYMENT_METHOD_BLOCKED
  RISK_THRESHOLD THREE_D_SECURE TOKEN_ISSUANCE
}

enum DisputeStatus { ACCEPTED AUTO_ACCEPTED DISPUTED EXPIRED LOST OPEN UNDER_REVIEW WON }
enum DisputeType { CHARGEBACK PRE_ARBITRATION RETRIEVAL }
enum DisputeReason {
  CANCELLED_RECURRING_TRANSACTION CREDIT_NOT_PROCESSED DUPLICATE FRAUD GENERAL INVALID_ACCOUNT NOT_RECOGNIZED PRODUCT_NOT_RECEIVED
  PRODUCT_UNSATISFACTORY RETRIEVAL TRANSACTION_AMOUNT_DIFFERS
}
type Dispute implements Node {
  id: ID! legacyId: ID! amountDisputed: MonetaryAmount amountWon: MonetaryAmount createdAt: Timestamp receivedDate: Date
  replyByDate: Date type: DisputeType status: DisputeStatus statusHistory: [DisputeStatusEvent!]
  processorResponse: DisputeProcessorResponse transaction: Transaction
}
type DisputeStatusEvent { status: DisputeStatus timestamp: Timestamp effectiveDate: Date disbursementDate: Date }
type DisputeProcessorResponse { reason: DisputeReason reasonCode: String reasonDescription: String }
input AcceptDisputeInput { clientMutationId: String disputeId: ID! }
type AcceptDisputePayload { clientMutationId: String dispute: Dispute }
input FinalizeDisputeInput { clientMutationId: String disputeId: ID! }
type FinalizeDisputePayload { clientMutationId: String dispute: Dispute }
enum DisputeTextEvidenceCategory {
  CARRIER_NAME GENERAL PURCHASER_EMAIL_ADDRESS PURCHASER_IP_ADDRESS PURCHASER_NAME TRACKING_NUMBER
}
enum DisputeFileEvidenceCategory { GENERAL PROOF_OF_DELIVERY SIGNED_DELIVERY_FORM SIGNED_ORDER_FORM }
input CreateDisputeTextEvidenceInput {
  clientMutationId: String disputeId: ID! category: DisputeTextEvidenceCategory content: String!
}
type CreateDisputeTextEvidencePayload { clientMutationId: String evidence: DisputeTextEvidence }
type DisputeTextEvidence { id: ID! legacyId: ID! content: String }
input CreateDisputeFileEvidenceInput { clientMutationId: String disputeId: ID! category: DisputeFileEvidenceCategory }
type CreateDisputeFileEvidencePayload { clientMutationId: String evidence: DisputeFileEvidence dispute: Dispute }
type DisputeFileEvidence { id: ID! legacyId: ID! url: String }
`)
