import type { Merchant } from '../accounts/merchant.ts'
import type { Asker } from '../accounts/second-person.ts'
import { refuse } from '../base/refusal.ts'
import type { Context, Reads } from '../context.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { checkSecondPerson } from '../users/second-person.ts'
import { needAccount } from './account.ts'
import { readMovements } from './books.ts'
import type { Cause } from './causes.ts'
import type { Entries } from './entries.ts'
import { takeAccount } from './lease.ts'
import { matchLines } from './match.ts'
import type { Writes } from './post.ts'
import { linesOf, type Settling, settleDifference, settlementLineOf } from './rematch.ts'
import { type SettledAccount, type SettlementDifference, type StoredLine, settlementDifferences } from './tables.ts'

const byId = statement('settlement_difference_by_id', select(settlementDifferences, 'where merchant_id = $1 and difference_id = $2'))

/** Refuses (HE_02) an unknown difference, and one of a profile that the caller does not see. */
export async function needDifference(
  context: Reads,
  merchant_id: string,
  difference_id: string,
  profiles: readonly string[] | null,
): Promise<SettlementDifference> {
  const [found] = await context.query<SettlementDifference>(byId, [merchant_id, difference_id])
  return found && (profiles?.includes(found.profile_id) ?? true) ? found : refuse('not_found', { what: 'difference', id: difference_id })
}

const listed = statement(
  'settlement_differences_listed',
  select(
    settlementDifferences,
    `where merchant_id = $1 and ($2::text is null or merchant_connector_id = $2) and ($3::text[] is null or profile_id = any($3))
      and ($4::text is null or state = $4) and ($5::text is null or cause = $5) and ($6::text is null or file_id = $6)
      and ($7::text is null or subject_id = $7) and ($8::text is null or (created, difference_id) <
        (select x.created, x.difference_id from settlement_differences x where x.merchant_id = $1 and x.difference_id = $8))
      order by created desc, difference_id desc limit $9`,
  ),
)
type DifferencesAsk = {
  merchant_connector_id?: string
  state?: string
  cause?: string
  file_id?: string
  payment_id?: string
  starting_after?: string
}

export const listDifferences = (
  context: Reads,
  merchant_id: string,
  ask: DifferencesAsk,
  profiles: readonly string[] | null,
  limit: number,
): Promise<SettlementDifference[]> =>
  context.query<SettlementDifference>(listed, [
    ...[merchant_id, ask.merchant_connector_id ?? null, profiles, ask.state ?? null, ask.cause ?? null, ask.file_id ?? null],
    ...[ask.payment_id ?? null, ask.starting_after ?? null, limit],
  ])

export const resolutions = {
  accept: 'The processor’s figure holds. What no payment explains is posted to suspense; what is missing stays owed',
  link: 'The line belongs to the payment or payout in `payment_id`',
  write_off: 'The difference is given up, and posted to write_offs',
} as const
type Resolution = { resolution: keyof typeof resolutions; reason: string; payment_id?: string }

type How = Omit<Settling, 'closed_through' | 'reason'>
const inState = (state: Settling['state'], difference: SettlementDifference, more: Partial<How> = {}): How => ({
  ...{ state, subject_id: difference.subject_id, moved: difference.moved },
  ...more,
})

const no = (problem: string): never => refuse('precondition', { problem })

/** Amount that only one side has: of a movement's line that is unknown here, or of one that was settled before. */
const strange: readonly Cause[] = ['missing_here', 'duplicate']

function accepted(difference: SettlementDifference): How {
  const { cause, ours, theirs } = difference
  const delta = (theirs ?? 0) - (ours ?? 0)
  const changes: Partial<Record<Cause, Entries>> = {
    changed: { processor: -delta, settled: delta },
    fee_differs: { fees: delta, settled: -delta },
  }
  // Nothing of ours is settled by what is posted to suspense.
  const toSuspense = strange.includes(cause) ? ({ from: 'suspense', moved: null } as const) : {}
  return inState('accepted', difference, { ...toSuspense, ...(changes[cause] && { more: changes[cause] }) })
}

/** Returns the amount that is given up, in `currency`, below zero if the processor gave more than it owes. */
function givenUp({ cause, ours, theirs, currency, ours_currency }: SettlementDifference): { amount: number; currency: string } {
  if (cause === 'missing_there') return { amount: ours!, currency: ours_currency! }
  if (strange.includes(cause)) return { amount: -theirs!, currency: currency! }
  if (cause !== 'amount_differs' || currency !== ours_currency)
    return no('Only a difference of amounts in one currency can be written off: accept it')
  return { amount: ours! - theirs!, currency: currency! }
}

function writtenOff(difference: SettlementDifference): How {
  if (strange.includes(difference.cause)) return inState('written_off', difference, { from: 'write_offs', moved: null })
  const { amount } = givenUp(difference)
  return inState('written_off', difference, { more: { processor: -amount, write_offs: amount }, settles: amount })
}

async function linked(
  context: Reads,
  account: SettledAccount,
  difference: SettlementDifference,
  stored: StoredLine,
  payment_id: string,
): Promise<How> {
  const line = settlementLineOf(stored)
  const its = await readMovements(context, account, payment_id)
  if (its.length === 0) return no(`${payment_id} has moved nothing at this account`)
  const [decision] = matchLines([line], { named: () => [{ object_id: payment_id, moved: null }], movements: () => its })
  if (decision!.moved === null) return no(`${payment_id} has no movement of the kind ${line.type} at this account`)
  return inState('linked', difference, { subject_id: payment_id, moved: decision!.moved })
}

type Call = { context: Writes & Pick<Context, 'random'>; merchant: Merchant; person?: Asker | undefined }

/**
 * Resolves a difference as a person decided, and posts what follows, in one change. To write off may need a second
 * person. Refuses (IR_16) a difference that is resolved, or cannot be resolved in this way.
 */
export async function resolveDifference(
  call: Call,
  difference: SettlementDifference,
  { resolution, reason, payment_id }: Resolution,
): Promise<SettlementDifference> {
  const { context, merchant } = call
  const { difference_id, profile_id, state } = difference
  if (state !== 'open') no(`This difference is ${state} already`)
  const account = await needAccount(context, merchant.merchant_id, difference.merchant_connector_id)
  const stored = (await linesOf(context, merchant.merchant_id, [difference])).get(difference_id) ?? null
  if (resolution === 'link' && payment_id === undefined) refuse('missing', { field: 'payment_id' })
  if (resolution === 'link' && stored === null) no('Only a line of a report can be linked')
  if (resolution === 'write_off') {
    const { amount, currency } = givenUp(difference)
    const asked = { profile_id, currency, amount: Math.abs(amount), total: Math.abs(amount) }
    checkSecondPerson(call, { subject_kind: 'settlement_difference', subject_id: difference_id, ...asked })
  }
  // A line that is read, and books that are closed meanwhile, would change what the decision is based on.
  const lease = await takeAccount(context, account)
  if (!lease) return refuse('busy')
  try {
    const how =
      resolution === 'accept'
        ? accepted(difference)
        : resolution === 'write_off'
          ? writtenOff(difference)
          : await linked(context, account, difference, stored!, payment_id!)
    const { closed_through } = lease
    return (await settleDifference(context, account, difference, stored, { ...how, reason, closed_through })) ?? refuse('busy')
  } finally {
    await lease.release()
  }
}
