import Type from 'typebox'
import { findProfileRouting, type RoutingAlgorithmRow, type TransactionType } from '../accounts/routing.ts'
import { refuse } from '../base/refusal.ts'
import { strictObject } from '../base/shapes.ts'
import { needAlgorithm, needProfile, withNumber } from './algorithms.ts'
import { changeRouting, type RoutingCall, type ShowAlgorithm } from './change.ts'
import { kindNamed } from './dynamic/dynamic-routing.ts'
import { routingColumns } from './known.ts'

export const activationShape = strictObject({
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Why, for the history and the audit log' })),
})

/** From now on, the algorithm routes the profile's payments or payouts. */
export async function activateAlgorithm<T>(
  call: RoutingCall,
  algorithm_id: string,
  of: TransactionType,
  { reason = null }: { reason?: string | null },
  show: ShowAlgorithm<T>,
): Promise<T> {
  const algorithm = await withNumber(call, await needAlgorithm(call, algorithm_id))
  if (algorithm.algorithm_for !== of)
    refuse('precondition', { problem: `This routing algorithm is for a ${algorithm.algorithm_for}, not for a ${of}` })
  const column = routingColumns[of].algorithm
  const dynamic = algorithm.algorithm_kind === 'dynamic' ? kindNamed(algorithm.name) : null
  return changeRouting(call, algorithm.profile_id, 'activated', row => {
    const now = dynamic ? row[dynamic] : null
    const isActive = dynamic ? now?.algorithm_id === algorithm_id && now.enabled !== 'none' : row[column] === algorithm_id
    if (isActive) refuse('precondition', { problem: 'This routing algorithm is already active' })
    const enabled = now && now.enabled !== 'none' ? now.enabled : 'dynamic_connector_selection'
    return { set: dynamic ? { [dynamic]: { algorithm_id, enabled } } : { [column]: algorithm_id, reason }, answer: show(algorithm) }
  })
}

/** From now on, only the fallback order routes. Returns the algorithm that was active. */
export async function deactivateAlgorithm<T>(
  call: RoutingCall,
  profile_id: string,
  of: TransactionType,
  show: ShowAlgorithm<T>,
): Promise<T> {
  needProfile(call.merchant, profile_id)
  return changeRouting(call, profile_id, 'deactivated', async row => {
    const column = routingColumns[of].algorithm
    const id = row[column] ?? refuse('precondition', { problem: 'This business profile has no active routing algorithm' })
    return { set: { [column]: null, reason: null }, answer: show(await withNumber(call, await needAlgorithm(call, id))) }
  })
}

/** Of each profile, or of one. */
export async function activeAlgorithms(call: RoutingCall, of: TransactionType, profile_id?: string): Promise<RoutingAlgorithmRow[]> {
  const wanted = profile_id === undefined ? call.merchant.profiles : [needProfile(call.merchant, profile_id)]
  const rows = await Promise.all(
    wanted.map(async profile => {
      const id = (await findProfileRouting(call.context, call.merchant.merchant_id, profile.profile_id))?.[routingColumns[of].algorithm]
      return id == null ? [] : [await needAlgorithm(call, id)]
    }),
  )
  return rows.flat()
}
