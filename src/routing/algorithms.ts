import Type from 'typebox'
import { findProfile, type Merchant } from '../accounts/merchant.ts'
import { findAlgorithm, type RoutingAlgorithmRow, routingAlgorithms, type TransactionType } from '../accounts/routing.ts'
import { newId } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { boundedText, strictObject } from '../base/shapes.ts'
import { changeTo } from '../database/change-to.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import type { NumberedAlgorithm, RoutingCall, ShowAlgorithm } from './change.ts'
import { checkChoices, enabledIn } from './known.ts'
import { readAlgorithm } from './read.ts'

/** `read.ts` reads the contents, and names the path of an error. */
export const algorithmShape = Type.Object(
  { type: Type.String({ description: 'single, priority, volume_split or advanced' }), data: Type.Unknown() },
  { description: 'The algorithm; see Routing' },
)

export const routingShape = strictObject({
  name: Type.String({ minLength: 1, maxLength: 64 }),
  description: boundedText(255),
  algorithm: algorithmShape,
  profile_id: boundedText(64),
  transaction_type: Type.Optional(
    Type.Enum(['payment', 'payout'], { description: 'Type of transactions to route; default payments, or payouts on the payout URLs' }),
  ),
})
export type RoutingAsk = Type.Static<typeof routingShape>

export const needProfile = (merchant: Merchant, profile_id: string) =>
  findProfile(merchant, profile_id) ?? refuse('not_found', { what: 'business profile', id: profile_id })

export const needAlgorithm = async ({ context, merchant }: RoutingCall, algorithm_id: string): Promise<RoutingAlgorithmRow> =>
  (await findAlgorithm(context, merchant.merchant_id, algorithm_id)) ?? refuse('not_found', { what: 'routing algorithm' })

/** Applies to no payment until it is activated. */
export const newAlgorithm = (
  { context, merchant: { merchant_id } }: RoutingCall,
  input: Pick<RoutingAlgorithmRow, 'profile_id' | 'name' | 'description' | 'algorithm_kind' | 'algorithm'> & {
    algorithm_for?: TransactionType
  },
): RoutingAlgorithmRow => ({
  algorithm_for: 'payment',
  ...input,
  merchant_id,
  algorithm_id: newId(context, 'routing_'),
  version: 1,
  created: context.now(),
})

const numbers = statement(
  'numbers_of_algorithms',
  `select asked.algorithm_id, 1 + (select count(*)::int from routing_algorithms o where o.merchant_id = $1 and o.profile_id = asked.profile_id
      and o.name = asked.name and o.algorithm_for = asked.algorithm_for and (o.created, o.algorithm_id) < (asked.created, asked.algorithm_id)) as number
    from json_to_recordset($2::json) asked (algorithm_id text, profile_id text, name text, algorithm_for text, created timestamptz(3))`,
)

/** The number among the algorithms, stored or new, with the same profile and name. */
export async function withNumbers({ context, merchant }: RoutingCall, rows: readonly RoutingAlgorithmRow[]): Promise<NumberedAlgorithm[]> {
  if (rows.length === 0) return []
  const asked = rows.map(({ algorithm_id, profile_id, name, algorithm_for, created }) => {
    return { algorithm_id, profile_id, name, algorithm_for, created }
  })
  const found = await context.query<{ algorithm_id: string; number: number }>(numbers, [merchant.merchant_id, JSON.stringify(asked)])
  const byId = new Map(found.map(one => [one.algorithm_id, one.number]))
  return rows.map(row => ({ ...row, number: byId.get(row.algorithm_id)! }))
}

export const withNumber = async (call: RoutingCall, row: RoutingAlgorithmRow): Promise<NumberedAlgorithm> =>
  (await withNumbers(call, [row]))[0]!

/** A connector without an enabled account in the profile is refused. */
export async function createAlgorithm<T>(
  call: RoutingCall,
  ask: RoutingAsk,
  algorithm_for: TransactionType,
  show: ShowAlgorithm<T>,
): Promise<T> {
  const { profile_id } = needProfile(call.merchant, ask.profile_id)
  const algorithm = readAlgorithm(ask.algorithm, ['algorithm'])
  checkChoices(
    enabledIn(call.merchant, profile_id, algorithm_for),
    algorithm,
    ['algorithm'],
    `the enabled connector accounts of business profile ${profile_id}`,
  )
  const { name, description } = ask
  const row = newAlgorithm(call, { profile_id, name, description, algorithm_kind: algorithm.type, algorithm, algorithm_for })
  const answer = show(await withNumber(call, row))
  await call.context.commit(changeTo(call.context, routingAlgorithms.name, { before: null, after: row }, 'created', { answer }))
  return answer
}

export const MOST_ALGORITHMS = 100

const latest = (name: string, where: string) =>
  statement(
    name,
    select(
      routingAlgorithms,
      `where merchant_id = $1 and algorithm_for = $4 ${where} order by created desc, algorithm_id desc limit $2 offset $3`,
    ),
  )
const ofMerchant = latest('routing_algorithms_of_merchant', '')
const ofProfiles = latest('routing_algorithms_of_profiles', 'and profile_id = any($5)')

/** Newest first. `profiles`: those that the caller may see; null: all. */
export async function listAlgorithms(
  call: RoutingCall,
  of: TransactionType,
  { profile_id, limit = MOST_ALGORITHMS, offset = 0 }: { profile_id?: string; limit?: number; offset?: number },
  profiles: readonly string[] | null,
): Promise<RoutingAlgorithmRow[]> {
  const part = [call.merchant.merchant_id, limit, offset, of]
  const wanted = profile_id === undefined ? profiles : [needProfile(call.merchant, profile_id).profile_id]
  return wanted === null ? call.context.query(ofMerchant, part) : call.context.query(ofProfiles, [...part, wanted])
}
