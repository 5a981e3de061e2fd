import { after } from '../base/lifecycle.ts'
import { refuse } from '../base/refusal.ts'
import type { Context } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { mandateLifecycle, mandates, needMandate } from './mandate.ts'

/** Payments under way continue. Refuses (HE_03) a mandate that is revoked already. */
export async function revokeMandate(context: Context, merchant_id: string, mandate_id: string) {
  return end(context, merchant_id, mandate_id, 'revoked', status =>
    refuse('mandate_violated', { problem: `it is already ${status}`, reason: 'Mandate has already been revoked' }),
  )
}

export const endMandate = (context: Context, merchant_id: string, mandate_id: string) =>
  end(context, merchant_id, mandate_id, 'revoked', () => {})

export const useUp = (context: Context, merchant_id: string, mandate_id: string) =>
  end(context, merchant_id, mandate_id, 'used_up', () => {})

async function end(
  context: Context,
  merchant_id: string,
  mandate_id: string,
  how: 'revoked' | 'used_up',
  already: (status: string) => void,
) {
  for (;;) {
    const before = await needMandate(context, merchant_id, mandate_id)
    if (before.status === 'revoked') already(before.status)
    const status = before.status === 'revoked' ? before.status : after(mandateLifecycle, before.status, how)
    const answer = { mandate_id, status, error_code: null, error_message: null }
    if (status === before.status) return answer
    const revoked = { ...before, status, modified_at: context.now() }
    const more = { announces: 'mandate_revoked' as const, answer }
    const written = await context.commit(changeTo(context, mandates.name, { before, after: revoked }, how, more))
    if (written.is === 'written') return answer
  }
}
