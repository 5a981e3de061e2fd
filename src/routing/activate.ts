import type { Merchant } from '../accounts/merchant.ts'
import { findProfileRouting, type RoutingAlgorithmRow } from '../accounts/routing.ts'
import { refuse } from '../base/refusal.ts'
import type { World } from '../world.ts'
import { needAlgorithm, needProfile } from './algorithms.ts'
import { changeRouting } from './change.ts'
import { kindNamed } from './dynamic-kinds.ts'

/** From now on the profile's payments go by this algorithm. Refuses (IR_16) one that is active already. */
export async function activateAlgorithm<T>(
  world: World,
  merchant: Merchant,
  algorithm_id: string,
  show: (row: RoutingAlgorithmRow) => T,
): Promise<T> {
  const algorithm = await needAlgorithm(world, merchant, algorithm_id)
  const dynamic = algorithm.algorithm_kind === 'dynamic' ? kindNamed(algorithm.name) : null
  return changeRouting(world, merchant.merchant_id, algorithm.profile_id, 'activated', row => {
    const now = dynamic ? row[dynamic] : null
    const isActive = dynamic ? now?.algorithm_id === algorithm_id && now.enabled !== 'none' : row.payment_algorithm === algorithm_id
    if (isActive) refuse('precondition', { words: 'This algorithm is active already' })
    const enabled = now && now.enabled !== 'none' ? now.enabled : 'dynamic_connector_selection'
    return { set: dynamic ? { [dynamic]: { algorithm_id, enabled } } : { payment_algorithm: algorithm_id }, answer: show(algorithm) }
  })
}

/** From now on the profile's payments go by its fallback order alone. Refuses (IR_16) if they do already. Shows the algorithm that was active. */
export async function deactivateAlgorithm<T>(
  world: World,
  merchant: Merchant,
  profile_id: string,
  show: (row: RoutingAlgorithmRow) => T,
): Promise<T> {
  needProfile(merchant, profile_id)
  return changeRouting(world, merchant.merchant_id, profile_id, 'deactivated', async row => {
    const id = row.payment_algorithm ?? refuse('precondition', { words: 'No algorithm of this business profile is active' })
    return { set: { payment_algorithm: null }, answer: show(await needAlgorithm(world, merchant, id)) }
  })
}

/** The active algorithm of each profile, or of one, as the database has it now. */
export async function activeAlgorithms(
  world: Pick<World, 'query'>,
  merchant: Merchant,
  profile_id?: string,
): Promise<RoutingAlgorithmRow[]> {
  const wanted = profile_id === undefined ? merchant.profiles : [needProfile(merchant, profile_id)]
  const rows = await Promise.all(
    wanted.map(async profile => {
      const id = (await findProfileRouting(world, merchant.merchant_id, profile.profile_id))?.payment_algorithm
      return id == null ? [] : [await needAlgorithm(world, merchant, id)]
    }),
  )
  return rows.flat()
}
