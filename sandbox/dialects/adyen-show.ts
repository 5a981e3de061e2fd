// Shows payments in Adyen's format.

import type { Account } from '../books.ts'
import type { DeclineCode } from '../cards.ts'
import { iso } from '../context.ts'
import type { Operation, Payment } from '../records.ts'
import { echoed } from '../show-operation.ts'
import { firstPspOf, paymentNote, pspOf, storedIdOf } from './adyen-documents.ts'
import { methodNamed, nameOfMethod } from './adyen-methods.ts'
import { authenticationIn, nativeAction } from './adyen-native.ts'
import { refusalOf, refusals } from './adyen-refusals.ts'

type Sight = { account: Account; url: string }

/**
 * Returns the refusalReasonCode of a declined authorization: the code that a trigger requested, otherwise that of the
 * ledger's decline.
 */
export function refusalCodeOf(account: Account, operation: Operation): string {
  return paymentNote(account, operation.payment).refusal ?? refusalOf[operation.decline!.code as DeclineCode] ?? '2'
}

const brandOf = (payment: Payment): string => payment.network ?? { 3: 'amex', 5: 'mc', 6: 'discover' }[payment.masked[0]!] ?? 'visa'

function actionOf(operation: Operation, payment: Payment, { account, url }: Sight): { resultCode: string; action: object } {
  const { id, challenge, due_at, amount, currency } = operation
  const page = `${url}/challenge/${id}/${challenge!.token}`
  const paymentMethodType = payment.method ? nameOfMethod(payment.method) : 'scheme'
  const reference = id.slice(-12).toUpperCase()
  // Adyen writes times without their time zone.
  const expiresAt = iso(due_at!).slice(0, 19)
  const totalAmount = { value: amount, currency }
  const common = { paymentMethodType, paymentData: `Ab02b4c0!${challenge!.token}` }
  const redirect = { type: 'redirect', method: 'GET', url: page, paymentMethodType }
  const native = authenticationIn(account, operation)
  if (native) return nativeAction(native, operation, url)
  switch (challenge!.action) {
    case 'code':
      return { resultCode: 'Pending', action: { ...common, type: 'qrCode', qrCodeData: page, expiresAt } }
    case 'wait':
      return { resultCode: 'Pending', action: { ...common, type: 'await' } }
    case 'slip': {
      const entity = paymentMethodType === 'multibanco' ? { entity: '12101' } : {}
      const voucher = { ...common, type: 'voucher', reference, expiresAt, totalAmount, merchantName: 'Sandbox', instructionsUrl: page }
      return { resultCode: 'PresentToShopper', action: { ...voucher, ...entity } }
    }
    case 'transfer': {
      const account = { beneficiary: 'Sandbox Bank', iban: 'NL91ABNA0417164300', bic: 'ADYBNL2A', reference, totalAmount }
      return { resultCode: 'Received', action: { paymentMethodType, type: 'bankTransfer', ...account } }
    }
    default: {
      const posts = methodNamed(payment.method?.way)?.posts
      return { resultCode: 'RedirectShopper', action: posts ? { ...redirect, method: 'POST', data: { reference } } : redirect }
    }
  }
}

/** Returns the additionalData of an authorization, for answers and notifications. All values are strings. */
export function additionalData(account: Account, operation: Operation, payment: Payment): Record<string, string> {
  const { decline } = operation
  const stored = operation.status === 'approved' && payment.store ? paymentNote(account, operation.payment).shopper : null
  if (payment.method)
    return {
      merchantReference: operation.reference,
      paymentMethod: nameOfMethod(payment.method),
      ...(stored !== null &&
        methodNamed(payment.method.way)?.again === 'told at once' && {
          'recurring.recurringDetailReference': storedIdOf(payment.id),
          'recurring.shopperReference': stored,
        }),
    }
  const fields = {
    'tokenization.storedPaymentMethodId': stored === null ? null : storedIdOf(payment.id),
    'tokenization.shopperReference': stored,
    cardSummary: payment.masked.slice(-4),
    paymentMethod: brandOf(payment),
    merchantReference: operation.reference,
    authCode: operation.authorization_code,
    eci: operation.eci,
    networkTxReference: operation.network_transaction_id,
    avsResult: operation.avs_result && '7 Both postal code and address match',
    avsResultRaw: operation.avs_result,
    cvcResult: operation.cvc_result && ({ M: '1 Matches', N: '2 Does not match', P: '3 Not checked' } as const)[operation.cvc_result],
    cvcResultRaw: operation.cvc_result,
    refusalReasonRaw: decline ? rawOf(account, operation) : 'AUTHORISED',
    merchantAdviceCode: decline?.network_advice && `${decline.network_advice} : ${decline.network_advice}`,
  }
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/**
 * Returns the issuer's raw refusal reason, as far as the ledger knows it. A refusal that a trigger requested has
 * network code 05.
 */
function rawOf(account: Account, operation: Operation): string | null {
  const { network_code } = operation.decline!
  return network_code && `${network_code} : ${refusals[refusalCodeOf(account, operation)]!.reason}`
}

/** Shows a payment: the answer to /payments and /payments/details. */
export function showPayment(operation_: Operation, payment: Payment, { account, url }: Sight): object {
  const operation = echoed(operation_, payment)
  const common = {
    merchantReference: operation.reference,
    amount: { currency: operation.currency, value: operation.amount },
    paymentMethod: payment.method ? { type: nameOfMethod(payment.method) } : { type: 'scheme', brand: brandOf(payment) },
  }
  switch (operation.status) {
    case 'approved': {
      const partial = operation_.amount < payment.asked
      const authorised = { authorisedAmountValue: String(operation.amount), authorisedAmountCurrency: operation.currency }
      return {
        pspReference: pspOf(operation.id),
        resultCode: partial ? 'PartiallyAuthorised' : 'Authorised',
        ...common,
        additionalData: { ...additionalData(account, operation, payment), ...(partial && authorised) },
      }
    }
    case 'declined': {
      const code = refusalCodeOf(account, operation)
      const { reason, resultCode } = refusals[code]!
      return {
        pspReference: pspOf(operation.id),
        resultCode,
        refusalReason: reason,
        refusalReasonCode: code,
        ...common,
        additionalData: additionalData(account, operation, payment),
      }
    }
    case 'returned':
    case 'expired':
      throw new Error('no payout is spoken of in this language')
    case 'pending':
      return { pspReference: pspOf(operation.id), resultCode: payment.method ? 'Received' : 'Pending', ...common }
    case 'challenge': {
      const shown = actionOf(operation_, payment, { account, url })
      // Until the shopper has been authenticated, a payment has another pspReference.
      const isFirst = ['RedirectShopper', 'IdentifyShopper', 'ChallengeShopper'].includes(shown.resultCode)
      const pspReference = isFirst ? firstPspOf(operation) : pspOf(operation.id)
      return { pspReference, ...common, ...shown }
    }
  }
}
