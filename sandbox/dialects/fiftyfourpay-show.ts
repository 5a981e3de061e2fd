// Collections in 54Pay's format, and callbacks, which are not signed.

import type { Account, Event } from '../books.ts'
import type { Operation } from '../records.ts'
import { echoed } from '../show-operation.ts'
import { majorText } from '../units.ts'

const codes: Record<Operation['status'], [code: string, message: string]> = {
  approved: ['00', 'SUCCESSFUL'],
  declined: ['05', 'DECLINED'],
  pending: ['09', 'PENDING'],
  challenge: ['09', 'PENDING'],
  returned: ['05', 'DECLINED'],
  expired: ['05', 'DECLINED'],
}

export function show(account: Account, truly: Operation, url: string): object {
  const payment = account.payments.get(truly.payment)
  const { id, reference, status, amount, currency, challenge, decline } = payment ? echoed(truly, payment) : truly
  const [responseCode, responseMessage] = codes[status]
  const redirected = status === 'challenge' && challenge!.action === 'redirect'
  return {
    responseDetails: {
      responseCode: decline?.network_code === '51' ? '51' : responseCode,
      responseMessage: decline?.message ?? responseMessage,
    },
    transactionReference: reference,
    transactionId: id,
    transactionAmount: majorText(amount, currency),
    transactionCurrency: currency,
    redirectionRequired: redirected,
    ...(redirected && { redirectionUrl: `${url}/challenge/${id}/${challenge!.token}` }),
    otpIsRequired: false,
  }
}

export const webhookFormat = {
  body: (account: Account, { operation }: Event, url: string): object => show(account, operation, url),
  signed: () => ({}),
}
