import Type from 'typebox'
import type { Merchant } from '../../accounts/merchant.ts'
import { refuse } from '../../base/refusal.ts'
import { fieldName, shortText, strictObject } from '../../base/shapes.ts'
import { DAY_MS, millisecondsOf } from '../../base/time.ts'
import type { Time } from '../../context.ts'
import { enabledIn } from '../known.ts'
import type { AccountHealth, Volume } from './health.ts'

/** An account is promised a number of payments until a date; while it is behind schedule it gets payments first. */

const seconds = (description: string) => Type.Integer({ minimum: 0, maximum: 253_402_300_799, description })

const contractInput = strictObject({
  label: Type.String({ minLength: 1, maxLength: 255, description: 'Name of the connector, or label of the connector account' }),
  mca_id: shortText,
  target_count: Type.Integer({ minimum: 1, maximum: 1_000_000_000, description: 'Number of payments promised' }),
  target_time: seconds('End of the contract, in seconds since 1970'),
  since: Type.Optional(seconds('Start of the contract, in seconds since 1970; defaults to its creation')),
})

export const contractShape = strictObject({
  config: Type.Optional(
    strictObject({
      time_scale: Type.Optional(
        Type.Enum(['day', 'month'], {
          description: 'Targets are due by day (default) or by month of 30 days; the share of the current one is due from its start',
        }),
      ),
      constants: Type.Optional(Type.Array(Type.Number(), { maxItems: 16 })),
    }),
  ),
  label_info: Type.Optional(Type.Array(contractInput, { maxItems: 100, description: 'Contracts, one per connector account' })),
})
export type ContractAsk = Type.Static<typeof contractShape>

/** Times are milliseconds since 1970. */
export type Contract = { account: string; target: number; since: number; until: number }
export type ContractConfig = { contracts: readonly Contract[]; unit_ms: number }

export const contractConfig = ({ config, label_info = [] }: ContractAsk): ContractConfig => ({
  unit_ms: config?.time_scale === 'month' ? 30 * DAY_MS : DAY_MS,
  contracts: label_info.map(({ mca_id, target_count, target_time, since = 0 }) => ({
    account: mca_id,
    target: target_count,
    since: since * 1000,
    until: target_time * 1000,
  })),
})

/** By the end of the current day (or month); null before the contract begins and after it has ended. */
export function dueOf({ target, since, until }: Contract, unit_ms: number, now: number): number | null {
  if (now < since || now >= until) return null
  const units = Math.ceil((until - since) / unit_ms)
  return Math.ceil((target * (Math.floor((now - since) / unit_ms) + 1)) / units)
}

/** A share of the target; 0 without a contract. */
const behind = (volume: Volume | undefined): number => (volume ? Math.max(0, volume.due - volume.payments) / volume.target : 0)

/** The furthest behind first. The rest keep their order. */
export const byContract = <A>(accounts: readonly A[], of: (account: A) => AccountHealth): readonly A[] =>
  accounts.toSorted((a, b) => behind(of(b).contract) - behind(of(a).contract))

/** Unnamed contracts stay. One that keeps its end time also keeps its start, from which its payments count. */
export function mergedContracts(merchant: Merchant, profile_id: string, now: Time, old: ContractAsk, ask: ContractAsk): ContractAsk {
  const [accounts, before, at] = [enabledIn(merchant, profile_id), old.label_info ?? [], Math.floor(millisecondsOf(now) / 1000)]
  const wrong = (i: number, name: string, message: string) =>
    refuse('unacceptable', { field: fieldName(['label_info', i, name]), problem: message })
  const given = (ask.label_info ?? []).map((one, i, all) => {
    const account = accounts.find(({ merchant_connector_id }) => merchant_connector_id === one.mca_id)
    if (!account) return wrong(i, 'mca_id', `${one.mca_id} is not an enabled connector account of business profile ${profile_id}`)
    if (one.label !== account.connector_name && one.label !== account.connector_label)
      wrong(i, 'label', `${one.mca_id} is an account at ${account.connector_name}, labelled ${account.connector_label}`)
    if (all.findIndex(({ mca_id }) => mca_id === one.mca_id) < i) wrong(i, 'mca_id', `${one.mca_id} is listed twice`)
    const same = before.find(({ mca_id, target_time }) => mca_id === one.mca_id && target_time === one.target_time)
    const since = one.since ?? same?.since ?? at
    if (one.target_time <= Math.max(since, at)) wrong(i, 'target_time', 'must be after now, and after since')
    return { ...one, since }
  })
  const others = before.filter(({ mca_id }) => !given.some(one => one.mca_id === mca_id))
  return { config: { ...old.config, ...ask.config }, label_info: [...others, ...given] }
}
