import { merchants } from '../accounts/merchant-row.ts'
import { findMerchantRow } from '../accounts/rows.ts'
import { refuse } from '../base/refusal.ts'
import type { Context } from '../context.ts'
import { changeTo } from '../database/change-to.ts'

export const showGuard = (on: boolean) => ({ blocklist_guard_status: on ? ('enabled' as const) : ('disabled' as const) })

/** Every process knows within a second. Writes nothing if the status is unchanged. */
export async function toggleBlocklist(context: Context, merchant_id: string, on: boolean): Promise<{ blocklist_guard_status: string }> {
  const answer = showGuard(on)
  for (;;) {
    const before = (await findMerchantRow(context, merchant_id)) ?? refuse('not_found', { what: 'merchant account' })
    if (before.blocklist_guard === on) return answer
    const after = { ...before, blocklist_guard: on, modified_at: context.now() }
    const type = on ? 'blocklist_enabled' : 'blocklist_disabled'
    const written = await context.commit(changeTo(context, merchants.name, { before, after }, type, { answer }))
    if (written.is === 'written') return answer
  }
}
