// Orders in Magua Pay's format, and callbacks.

import { createHmac } from 'node:crypto'
import type { Account, Event } from '../books.ts'
import type { Operation, Payment } from '../records.ts'
import { echoed } from '../show-operation.ts'

export const states = { approved: 2, declined: -1, pending: 1, challenge: 0, returned: -1, expired: -1 } as const

export function show(truly: Operation, payment: Payment, url: string): object {
  const { id, reference, status, decline, challenge } = echoed(truly, payment)
  return {
    order_id: reference,
    status: states[status],
    // If the request contained a card, the customer goes to its issuer with a form; otherwise to the sandbox's page,
    // where the card is entered.
    ...(status === 'challenge' &&
      (payment.method
        ? { form_url: `${url}/challenge/${id}/${challenge!.token}` }
        : { ACSUrl: `${url}/challenge/${id}/${challenge!.token}`, MD: id, TermUrl: `${url}/maguapay/term` })),
    ...(decline && { description: decline.message }),
  }
}

/** Shows an order for a look-up, which contains the amount; the order itself does not. */
export function checked(account: Account, payment: Payment, url: string): object {
  const operation = account.operations.get(payment.id)!
  const { amount, currency, decline } = echoed(operation, payment)
  return { ...show(operation, payment, url), amount, finalAmount: amount, currency, ...(decline && { errorMessage: decline.message }) }
}

export const webhookFormat = {
  /** Returns the callback. Its signature with the account's secret is one of its parameters. */
  body(account: Account, { operation }: Event): object {
    const payment = account.payments.get(operation.payment)!
    const parameters: Record<string, unknown> = { orderId: payment.reference, status: states[operation.status], amount: operation.amount }
    const text = Object.keys(parameters)
      .sort()
      .map(name => String(parameters[name]))
      .join('|')
    return { ...parameters, sign: createHmac('sha256', `sandbox_${account.name}`).update(text).digest('hex') }
  },
  signed: () => ({}),
}
