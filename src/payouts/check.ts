import { checkAll, refuse } from '../base/refusal.ts'
import type { Recipient } from '../connectors/instrument.ts'
import { checkBlocked } from '../guard/blocklist.ts'
import { recipientFamilies } from '../instruments/recipients.ts'
import type { Call } from '../operations/verb.ts'
import type { PayoutStatus } from './lifecycle.ts'
import type { Payout } from './payout.ts'
import type { PayoutTerms } from './terms.ts'

/** Checks of a request that concern more than one member. Each check names the field that it refuses. */

/** Refuses a saved payout method (`payout_method_id`) without `confirm: true` (contract 5.3). */
export function checkSaved({ payout_method_id }: PayoutTerms, confirm: boolean): void {
  if (payout_method_id !== undefined && !confirm)
    refuse('unacceptable', { field: 'payout_method_id', problem: 'requires confirm: true; to confirm later, use payout_token' })
}

export const checkPayable = (payout: Payout): void => checkAll(checksOfPayable, payout)

const checksOfPayable: readonly ((payout: Payout) => void)[] = [
  ({ amount }) => {
    if (amount === 0) refuse('precondition', { field: 'amount', problem: 'amount must be greater than 0' })
  },
  ({ payout_type, recipient }) => {
    if (payout_type === null) refuse('missing', { field: 'payout_type' })
    if (recipient === null || recipient.is !== payout_type) refuse('missing', { field: `payout_method_data.${payout_type}` })
  },
  ({ recurring, customer_id }) => {
    if (recurring && customer_id === null) refuse('missing', { field: 'customer_id' })
  },
  ({ recurring, recipient }) => {
    if (recurring && recipient && recipientFamilies[recipient.is].byServer)
      refuse('unacceptable', { field: 'recurring', problem: `must be false: ${recipient.is} is not saved` })
  },
]

/** Refuses (IR_16) to pay out to a card that is on the merchant's blocklist. */
export async function checkRecipient({ context, merchant }: Pick<Call, 'context' | 'merchant'>, to: Recipient): Promise<void> {
  if (merchant.blocklist_guard && to.is === 'card') await checkBlocked(context, merchant.merchant_id, to.number.reveal())
}

/** Refuses a body that names another payout than its path (IR_05), or has the client_secret of another one (IR_09). */
export function checkSame({ payout_id, client_secret }: Payout, ask: { payout_id?: string; client_secret?: string }): void {
  if (ask.payout_id !== undefined && ask.payout_id !== payout_id)
    refuse('malformed', { field: 'payout_id', expected: `${payout_id}, as in the path` })
  if (ask.client_secret !== undefined && ask.client_secret !== client_secret) refuse('client_secret_mismatch')
}

/** Refuses (422 IR_06) a call that the payout's status does not allow. `done`: its participle, for the message. */
export function refuseStatus(payout: Payout, done: string, allowed: readonly PayoutStatus[]): never {
  return refuse('unacceptable', { field: 'status', problem: statusMessage(payout, done, allowed) })
}

export const statusMessage = ({ status }: Payout, done: string, allowed: readonly PayoutStatus[]): string =>
  `this payout cannot be ${done}: its status is ${status}; it must be one of ${allowed.join(', ')}`
