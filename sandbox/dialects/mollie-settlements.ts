// Mollie's settlements: what each day moved, with its payments, captures, refunds and chargebacks. Only access tokens
// of the organization may read them.

import { type BalanceMovement, type DayPayout, dayPayouts, idFrom } from '../balance.ts'
import type { Account } from '../books.ts'
import type { Dispute, Operation } from '../records.ts'
import { Refusal } from '../refusals.ts'
import { signed } from '../units.ts'
import type { ApiCall, CallResult, Language } from './language.ts'
import { page } from './mollie-lists.ts'
import { paymentIdOf, showChange, showChargeback, showPayment } from './mollie-show.ts'

/** An organization's access token of the account with this key, in the sandbox. */
const TOKEN = /^Bearer +access_(\S+)$/i

export const keyOfToken = (authorization: string | undefined): string | undefined => TOKEN.exec(authorization ?? '')?.[1]

function needToken({ headers }: ApiCall): void {
  if (keyOfToken(headers.authorization) === undefined)
    throw new Refusal('not_allowed', 'API keys may not read settlements: use an organization access token', 'authorization')
}

const idOf = ({ day, currency }: DayPayout): string => `stl_${idFrom(10, day, currency)}`
const referenceOf = ({ day, currency }: DayPayout): string => {
  const organization = [...currency]
    .map(letter => letter.charCodeAt(0) - 65)
    .join('')
    .padStart(7, '1')
    .slice(0, 7)
  return `${organization}.${day.slice(2, 4)}${day.slice(5, 7)}.${day.slice(8)}`
}

const settlementsOf = ({ account, turn }: ApiCall): DayPayout[] => dayPayouts(account, 'mollie', turn.at)

const amountOf = (amount: number, currency: string, more = '') => ({ value: `${signed(amount, currency)}${more}`, currency })

function showSettlement(payout: DayPayout, url: string): object {
  const { day, currency, movements, net, paid_at } = payout
  const [year, month] = day.split('-') as [string, string]
  const fees = movements.reduce((sum, { fee }) => sum + fee, 0)
  const gross = amountOf(net + fees, currency, '00')
  const costs = amountOf(fees, currency, '00')
  return {
    ...{ resource: 'settlement', id: idOf(payout), reference: referenceOf(payout), status: 'paidout', amount: amountOf(net, currency) },
    ...{
      createdAt: `${day}T00:00:00+00:00`,
      settledAt: new Date(paid_at).toISOString().replace('.000Z', '+00:00'),
      balanceId: 'bal_sandbox',
    },
    periods: {
      [year]: {
        [month]: {
          revenue: [{ description: 'All', method: null, count: movements.length, amountNet: gross, amountVat: null, amountGross: gross }],
          costs: [
            {
              ...{ description: 'All', method: null, count: movements.length, rate: { fixed: null, percentage: null } },
              ...{ amountNet: costs, amountVat: amountOf(0, currency, '00'), amountGross: costs },
            },
          ],
          invoiceId: 'inv_sandbox',
        },
      },
    },
    _links: { self: { href: `${url}/mollie/settlements/${idOf(payout)}`, type: 'application/hal+json' } },
  }
}

function listSettlements(asked: ApiCall): CallResult {
  needToken(asked)
  const all = settlementsOf(asked).map(one => showSettlement(one, asked.url) as { id: string })
  return page(asked, 'settlements', all, '/settlements')
}

function settlementIn(asked: ApiCall): DayPayout {
  needToken(asked)
  const { id } = asked.params
  const found = settlementsOf(asked).find(one => idOf(one) === id || referenceOf(one) === id)
  if (!found) throw new Refusal('not_found', `No settlement exists with token ${id}.`)
  return found
}

const getSettlement = (asked: ApiCall): CallResult => ({ body: showSettlement(settlementIn(asked), asked.url) })

type List = 'payments' | 'captures' | 'refunds' | 'chargebacks'

function listOf({ kind, of }: BalanceMovement): List {
  if (kind === 'charge') return 'type' in of && of.type === 'capture' ? 'captures' : 'payments'
  return kind.startsWith('refund') ? 'refunds' : 'chargebacks'
}

function show(asked: { account: Account; url: string }, { of, payment, amount, currency }: BalanceMovement): object {
  const settled = { settlementAmount: amountOf(amount, currency) }
  if (!('type' in of)) return { ...showChargeback(asked, of as Dispute), ...settled }
  const operation = of as Operation
  if (operation.type === 'authorization') return { ...showPayment(asked, payment), ...settled, id: paymentIdOf(payment.id) }
  return {
    ...showChange(asked, operation),
    ...settled,
    ...(amount > 0 && { status: operation.type === 'capture' ? 'succeeded' : 'refunded' }),
  }
}

const listOfSettlement =
  (list: List) =>
  (asked: ApiCall): CallResult => {
    const settlement = settlementIn(asked)
    const items = settlement.movements.filter(one => listOf(one) === list)
    const settlementId = idOf(settlement)
    const shown = items.map(one => ({ ...show(asked, one), settlementId }) as unknown as { id: string })
    return page(asked, list, shown, `/settlements/${settlementId}/${list}`)
  }

export const settlementCalls: Language['calls'] = [
  { method: 'GET', path: '/settlements', call: 'lookup', act: listSettlements },
  { method: 'GET', path: '/settlements/:id', call: 'lookup', act: getSettlement },
  ...(['payments', 'captures', 'refunds', 'chargebacks'] as const).map(
    list => ({ method: 'GET', path: `/settlements/:id/${list}`, call: 'lookup', act: listOfSettlement(list) }) as const,
  ),
]
