import Type from 'typebox'
import { chooseProfile } from '../../accounts/choose-profile.ts'
import { findConnectorAccount, type Merchant } from '../../accounts/merchant.ts'
import { refuse } from '../../base/refusal.ts'
import { boundedText, dateTime, strictObject } from '../../base/shapes.ts'
import { readTime } from '../../base/time.ts'
import type { Call } from '../../operations/verb.ts'
import { decide } from '../../routing/decide.ts'
import { healthReportSinceOpen } from '../authorization/account-health.ts'
import { findAttempts, type PaymentAttempt } from '../authorization/attempts.ts'
import { byAlgorithm, routingBy } from './evaluate-routing.ts'
import { routingContextOf } from './routing-context.ts'

export const simulateShape = strictObject({
  profile_id: Type.Optional(boundedText(64)),
  ...byAlgorithm,
  start_time: dateTime,
  end_time: Type.Optional(Type.String({ format: 'date-time', description: 'Default: now' })),
})
export type SimulateAsk = Type.Static<typeof simulateShape>

/** The maximum number of payments that a simulation reads, the latest of the period. */
const MOST_SIMULATED = 20_000
/** The minimum number of payments for a success rate. */
export const FEWEST_FOR_A_RATE = 30

type Volume = { payments: number; amounts: Map<string, number> }
const add = (volumes: Map<string, Volume>, name: string, currency: string, amount: number): void => {
  const volume = volumes.get(name) ?? { payments: 0, amounts: new Map() }
  volume.payments++
  volume.amounts.set(currency, (volume.amounts.get(currency) ?? 0) + amount)
  volumes.set(name, volume)
}

type Seen = { payments: number; succeeded: number }
/** Payments of the same network, currency and country: results by account, and how many would have moved. */
type Cell = { seen: Map<string, Seen>; moved: Map<string, number> }

/**
 * Simulates an algorithm on a profile's payments of a period: how many would have gone to which account, which to
 * another than in reality, and how often each connector succeeded in the same cell (network, currency, country).
 * Changes nothing. Accounts are taken as they are now, their health as it was for each attempt.
 */
export async function simulateRouting({ context, merchant }: Call, ask: SimulateAsk) {
  const profile_id = chooseProfile(merchant, ask).profile_id
  const routing = await routingBy(context, merchant, profile_id, ask)
  const from = readTime('start_time', ask.start_time)
  const to = ask.end_time === undefined ? context.now() : readTime('end_time', ask.end_time)
  if (from > to) refuse('unacceptable', { field: 'start_time', problem: 'must not be after end_time' })
  const [was, would, moved] = [new Map<string, Volume>(), new Map<string, Volume>(), new Map<string, Volume>()]
  const cells = new Map<string, Cell>()
  let payments = 0
  let complete = true
  let earliest: string | null = null
  let latest = ''
  for await (const attempts of findAttempts(context, merchant.merchant_id, { profile_id, from, to })) {
    for (const attempt of attempts) {
      const routingContext = routingContextOf(attempt)
      const cell = JSON.stringify([routingContext.card_network, routingContext.currency, routingContext.billing_country])
      const its = cells.get(cell) ?? { seen: new Map(), moved: new Map() }
      cells.set(cell, its)
      see(its, attempt)
      // An algorithm decides where a payment goes first. Its later attempts, which follow, only count for results.
      if (attempt.payment_id === latest) continue
      latest = attempt.payment_id
      payments++
      earliest = attempt.created
      const { net_amount, currency } = attempt
      const now =
        decide(merchant, routingContext, attempt.routing?.dynamic?.health ?? null, routing).order[0]?.merchant_connector_id ?? NO_ACCOUNT
      add(was, attempt.merchant_connector_id, currency, net_amount)
      add(would, now, currency, net_amount)
      if (now === attempt.merchant_connector_id) continue
      const way = `${attempt.merchant_connector_id} ${now}`
      add(moved, way, currency, net_amount)
      its.moved.set(way, (its.moved.get(way) ?? 0) + 1)
    }
    if (payments >= MOST_SIMULATED) {
      complete = false
      break
    }
  }
  const ids = [...new Set([...was.keys(), ...would.keys()])].filter(id => id !== NO_ACCOUNT)
  return {
    profile_id,
    algorithm_id: routing?.active?.algorithm_id ?? null,
    start_time: from,
    end_time: to,
    payments,
    complete,
    earliest,
    connectors: ids.map(id => ({ ...named(merchant, id), went: shown(was.get(id)), would_go: shown(would.get(id)) })),
    would_go_nowhere: shown(would.get(NO_ACCOUNT)),
    elsewhere: [...moved]
      .map(([way, volume]) => ({ ...wayOf(merchant, way), ...shown(volume) }))
      .toSorted((a, b) => b.payments - a.payments),
    cells: [...cells]
      .filter(([, { seen, moved }]) => seen.size + moved.size > 0)
      .map(([name, cell]) => cellOf(merchant, name, cell))
      .toSorted((a, b) => b.payments - a.payments),
  }
}

const NO_ACCOUNT = '-'

/** Returns the two accounts, from and to, that a key in `moved` names. */
function wayOf(merchant: Merchant, way: string) {
  const [went, goes] = way.split(' ') as [string, string]
  return { from: named(merchant, went), to: goes === NO_ACCOUNT ? null : named(merchant, goes) }
}

function see({ seen }: Cell, attempt: PaymentAttempt): void {
  const { succeeded } = healthReportSinceOpen(attempt)
  // An undecided payment does not count.
  if (succeeded === null) return
  const account = seen.get(attempt.merchant_connector_id) ?? { payments: 0, succeeded: 0 }
  seen.set(attempt.merchant_connector_id, { payments: account.payments + 1, succeeded: account.succeeded + (succeeded ? 1 : 0) })
}

function cellOf(merchant: Merchant, name: string, { seen, moved }: Cell) {
  const [card_network, currency, country] = JSON.parse(name) as [string | null, string, string | null]
  return {
    card_network,
    currency,
    country,
    payments: [...seen.values()].reduce((sum, account) => sum + account.payments, 0),
    moved: [...moved].map(([way, payments]) => ({ ...wayOf(merchant, way), payments })).toSorted((a, b) => b.payments - a.payments),
    connectors: [...seen].map(([id, { payments, succeeded }]) => ({
      ...named(merchant, id),
      payments,
      succeeded,
      success_rate: payments < FEWEST_FOR_A_RATE ? 'unknown' : Math.round((10_000 * succeeded) / payments) / 100,
    })),
  }
}

const shown = (volume: Volume | undefined) => ({
  payments: volume?.payments ?? 0,
  amounts: [...(volume?.amounts ?? [])].map(([currency, amount]) => ({ currency, amount })),
})

const named = (merchant: Merchant, merchant_connector_id: string) => ({
  connector: findConnectorAccount(merchant, merchant_connector_id)?.connector_name ?? null,
  merchant_connector_id,
})
