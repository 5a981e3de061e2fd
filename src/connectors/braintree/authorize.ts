import type { Secret } from '../../base/secret.ts'
import type { Account, ClientToken, ClientTokenRequest, Conversation, Outcome } from '../connector.ts'
import { isOther } from '../instrument.ts'
import { boughtBy, customerThere } from '../kit/buyer.ts'
import { beforeMoney, declinedWith, failedOutcome, failedWish, firstHand, parseReply, without } from '../kit/parse-reply.ts'
import { codesOf, secretsOf } from '../kit/secrets.ts'
import type { Buyer } from '../purchase.ts'
import type { documents } from './documents.ts'
import * as wire from './replies.ts'
import * as requests from './requests.ts'

const notSupported = (why: string): Outcome => declinedWith('not_supported', 'payment_method', why)
const noMerchantAccount = (currency: string) => `metadata.merchant_accounts has no merchant account for ${currency}`

function* naming(
  account: Account,
  secrets: readonly Secret[],
  name: keyof typeof documents,
  what: string,
  input: object,
): Conversation<ReturnType<typeof parseReply<string>>> {
  return parseReply(yield requests.mutate(account, name, input), secrets, wire.readerAt(`${name}.${what}`, wire.readNamed))
}

/** `code`: the id of a security code that was sent alone. */
function* methodOf(
  { instrument }: requests.BraintreeAsk,
  account: Account,
  secrets: readonly Secret[],
): Conversation<Pick<requests.Named, 'method' | 'code'> | Outcome> {
  if (isOther(instrument)) {
    const { token } = instrument.secrets
    return token ? { method: token.reveal(), code: null } : notSupported(`payment_method_data.wallet.${instrument.way} has no token`)
  }
  if (instrument.is !== 'stored_card') {
    const card = yield* naming(account, secrets, 'tokenizeCreditCard', 'paymentMethod', requests.tokenizeCreditCard(instrument))
    return card.is === 'answer' ? { method: card.answer, code: null } : beforeMoney(card)
  }
  const { reference, cvc } = instrument
  if (!cvc) return { method: reference, code: null }
  const code = yield* naming(account, secrets, 'tokenizeCvv', 'tokenizedCvv', requests.tokenizeCvv(cvc))
  return code.is === 'answer' ? { method: reference, code: code.answer } : beforeMoney(code)
}

/** One for each customer of the merchant, created, or updated with the data of this payment. */
function* customerOf(buyer: Buyer | undefined, reference: string | null, account: Account): Conversation<string | Outcome> {
  const save = (name: 'createCustomer' | 'updateCustomer', id?: string) =>
    naming(account, requests.keysOf(account), name, 'customer', requests.customerInput(buyer, id))
  const customer = yield* customerThere(
    reference,
    known => save('updateCustomer', known),
    () => save('createCustomer'),
  )
  return customer.is === 'answer' ? customer.answer : beforeMoney(customer)
}

type Say = (ask: requests.BraintreeAsk, named: requests.Named, account: Account, secrets: Secret[]) => Conversation

/** `why`: a sentence that names a member that Braintree cannot receive, or null. */
const withMethod = (why: (ask: requests.BraintreeAsk, kind: requests.Named['kind']) => string | null, say: Say) =>
  function* (asked: requests.BraintreeAsk, account: Account): Conversation {
    const { instrument, money } = asked
    const kind = requests.paidAs(asked)
    if (kind === null) return notSupported('it is not supported any more')
    const merchantAccount = requests.merchantAccountFor(account, money.currency)
    if (merchantAccount === undefined) return { is: 'not_sent', why: noMerchantAccount(money.currency) }
    const no = why(asked, kind)
    if (no !== null) return notSupported(no)
    const isKept = requests.isVaulted(asked)
    const { purchase, reference } = yield* boughtBy(asked.purchase, isKept ? 'reference' : 'buyer')
    const ask = purchase ? { ...asked, purchase } : asked
    const secrets = [...requests.keysOf(account), ...secretsOf(instrument)]
    const method = yield* methodOf(ask, account, secrets)
    if ('is' in method) return without(method, codesOf(instrument))
    const customer = isKept ? yield* customerOf(purchase?.buyer, reference, account) : null
    if (customer !== null && typeof customer !== 'string') return customer
    return without(yield* say(ask, { kind, ...method, customer, merchantAccount }, account, secrets), codesOf(instrument))
  }

const onlyCards = (field: string) => `${field} is only supported for cards`

export const authorize = withMethod(
  (ask, kind) => {
    const field = kind === 'CreditCard' ? null : requests.notTellable(ask)
    return field && onlyCards(field)
  },
  function* (ask, named, account, secrets) {
    const name = `${ask.capture === 'automatic' ? 'charge' : 'authorize'}${named.kind}` as const
    const request = requests.mutate(account, name, requests.payment(ask, named))
    const reply = parseReply(yield request, secrets, wire.readerAt(`${name}.transaction`, wire.readPayment))
    return reply.is === 'answer' ? firstHand(wire.transactionAuthorized(reply.answer)) : failedOutcome(reply)
  },
)

/** Only cards are verified; another payment method is saved without a verification. */
export const keepOrVerify = withMethod(
  (ask, kind) => {
    const isNew = ask.instrument.is !== 'stored_card'
    const isCard = kind === 'CreditCard'
    if (isNew && !requests.isVaulted(ask)) return 'Braintree verifies only what it keeps'
    if (!isNew && !isCard) return 'Braintree verifies only cards'
    const field = requests.notTellable(ask)
    return field === null || (isNew && isCard && field === 'three_ds_data') ? null : `${field} cannot be sent without a charge`
  },
  function* (ask, named, account, secrets) {
    const isNew = ask.instrument.is !== 'stored_card'
    const name = !isNew ? 'verifyCreditCard' : named.kind === 'CreditCard' ? 'vaultCreditCard' : 'vaultPaymentMethod'
    const request = requests.mutate(account, name, isNew ? requests.vaulting(ask, named) : requests.verification(ask, named))
    const place = name === 'vaultPaymentMethod' ? 'paymentMethod' : 'verification'
    const reply = parseReply(yield request, secrets, wire.readerAt(`${name}.${place}`, wire.readCheck))
    return reply.is === 'answer' ? wire.checkedOutcome(reply.answer, ask.money) : failedOutcome(reply)
  },
)

/** Short, because the checkout on a page waits for the answer. */
const WITHIN_MS = 5_000

/** It names no customer, so Braintree's script does not show saved payment methods. */
export function* clientToken({ money }: ClientTokenRequest, account: Account): Conversation<ClientToken> {
  const merchantAccount = requests.merchantAccountFor(account, money.currency)
  if (merchantAccount === undefined) return { is: 'refused', code: 'merchant_accounts', message: noMerchantAccount(money.currency) }
  const request = requests.mutate(account, 'createClientToken', requests.clientTokenInput(merchantAccount))
  const place = 'createClientToken.clientToken'
  const reply = parseReply(yield { ...request, within_ms: WITHIN_MS }, requests.keysOf(account), wire.readerAt(place, wire.readClientToken))
  return reply.is === 'answer' ? { is: 'done', token: reply.answer } : failedWish(reply)
}
