import type { MoveName, MoveRequest } from '../../sandbox/move-request.ts'
import { connectors } from '../../src/connectors/all.ts'
import type { Charge, Processor } from '../processor.ts'
import type { Dice } from './dice.ts'

/** A person at a vendor's dashboard, who moves the money of payments that the service may change at that moment. */

/** `needsWebhooks`: whether the shop depends on the processor's webhooks, so that they may only be late, not lost. */
export type Target = { processor: Processor; connector: string; needsWebhooks: boolean }

/** How the service hears of a move. */
type Telling = 'at once' | 'late' | 'three times' | 'never'

const MOVED_AT_ONCE = 3
/** The latest payments, of which half of the moves are, and those of which the others are. */
const LATEST = 3
const AMONG = 40

const MOST_LATE_MS = 8000

type Move = { move: MoveName } & Pick<MoveRequest, 'amount' | 'final'>

const part = (dice: Dice, most: number): number => (dice.chance(0.4) ? most : dice.between(1, most))

/** Draws a move that the money of a payment allows; null if there is none. */
function drawMove({ status, amount, captured, refunded, disputed = 0 }: Charge, connector: string, dice: Dice): Move | null {
  const held = status === 'authorized' || status === 'partially_captured' ? amount - captured : 0
  const kept = captured - refunded - disputed
  const possible: Move['move'][] = [
    ...(held > 0 ? (['capture', 'capture', 'void'] as const) : []),
    ...(kept > 0 ? (['refund', 'refund', 'refund'] as const) : []),
    ...(kept > 0 && disputed === 0 && dice.chance(0.3) ? (['dispute'] as const) : []),
    ...(refunded > 0 ? (['refund_failed'] as const) : []),
  ]
  if (possible.length === 0) return null
  const move = dice.one(possible)
  // Adyen has no last capture: the account says whether the rest is let go, and no webhook tells of a rest.
  if (move === 'capture') return { move, amount: part(dice, held), ...(connector !== 'adyen' && dice.chance(0.3) && { final: true }) }
  return move === 'refund' || move === 'dispute' ? { move, amount: part(dice, kept) } : { move }
}

/** Moves the money of some payments, which may be those that the service is changing. */
export async function movesMoney(target: Target, dice: Dice, rest: (ms: number) => Promise<void>): Promise<void> {
  const { processor, connector, needsWebhooks } = target
  const { tells } = connectors[connector]!.accepts
  if (!tells) return
  const mayLose = !needsWebhooks && tells.lookup.length > 0
  for (let i = 0; i < MOVED_AT_ONCE; i++) {
    const charges = await processor.charges()
    const charge = dice.one(charges.slice(dice.chance(0.5) ? -LATEST : -AMONG))
    const ask = charge && drawMove(charge, connector, dice)
    const telling: Telling = dice.one(['at once', 'late', 'three times', mayLose ? 'never' : 'at once'])
    if (!ask) continue
    if (telling === 'three times') await processor.account({ webhooks: 'duplicate' })
    const webhooks = telling === 'never' ? 'lose' : telling === 'late' ? 'hold' : undefined
    // What the service has just done may leave nothing to move.
    await processor.move(charge.payment, ask.move, { ...ask, ...(webhooks && { webhooks }) }).catch(() => {})
    await rest(telling === 'late' ? dice.between(1, MOST_LATE_MS) : dice.between(0, 500))
    if (telling === 'three times') await processor.account({ webhooks: 'send' })
    if (telling === 'late') await processor.flushWebhooks()
  }
}
