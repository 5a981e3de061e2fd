// A payment in Adyen's words.

import type { Account } from '../books.ts'
import type { DeclineCode } from '../cards.ts'
import type { Operation, Payment } from '../records.ts'
import { echoed } from '../show-operation.ts'
import { firstPspOf, paymentNote, pspOf, storedIdOf } from './adyen-documents.ts'
import { refusalOf, refusals } from './adyen-refusals.ts'

type Sight = { account: Account; url: string }

/** The refusal of a declined authorization: the one that a trigger asked for, else the ledger's. */
export function refusalCodeOf(account: Account, operation: Operation): string {
  return paymentNote(account, operation.payment).refusal ?? refusalOf[operation.decline!.code as DeclineCode] ?? '2'
}

const brandOf = (payment: Payment): string => payment.network ?? { 3: 'amex', 5: 'mc', 6: 'discover' }[payment.masked[0]!] ?? 'visa'

/** What is said of an authorization beside its result: in answers, and in notifications. All of it is text. */
export function additionalData(account: Account, operation: Operation, payment: Payment): Record<string, string> {
  const { decline } = operation
  const stored = operation.status === 'approved' && payment.store ? paymentNote(account, operation.payment).shopper : null
  const said = {
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
  return Object.fromEntries(Object.entries(said).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** What the issuer said, as far as the ledger knows it: a trigger's refusal has the words of the network's code 05. */
function rawOf(account: Account, operation: Operation): string | null {
  const { network_code } = operation.decline!
  return network_code && `${network_code} : ${refusals[refusalCodeOf(account, operation)]!.reason}`
}

/** The answer to /payments and /payments/details. */
export function showPayment(operation_: Operation, payment: Payment, { account, url }: Sight): object {
  const operation = echoed(operation_, payment)
  const common = {
    merchantReference: operation.reference,
    amount: { currency: operation.currency, value: operation.amount },
    paymentMethod: { type: 'scheme', brand: brandOf(payment) },
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
      return { pspReference: pspOf(operation.id), resultCode: 'Pending', ...common }
    case 'challenge':
      return {
        pspReference: firstPspOf(operation),
        resultCode: 'RedirectShopper',
        ...common,
        action: {
          type: 'redirect',
          method: 'GET',
          url: `${url}/challenge/${operation.id}/${operation.challenge!.token}`,
          paymentMethodType: 'scheme',
        },
      }
  }
}
