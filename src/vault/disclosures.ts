import { newId } from '../base/id.ts'
import type { Context } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { count, json, type RowOf, table, text, time } from '../database/table.ts'

/**
 * A row, so an audit entry, for each disclosure to a person or a key, before the answer goes out (PCI DSS 10.2.1.1,
 * 10.2.1.3): of the audit log, an encrypted card (`payments/actions/extended-card-info.ts`), exchanges with a
 * processor (`http/routes/operations.ts`). Any other code that discloses the vault's payment data must call `disclose`
 * (a test verifies that there is none).
 */
const disclosures = table('disclosures', {
  kind: 'disclosure',
  key: ['merchant_id', 'disclosure_id'],
  columns: {
    merchant_id: text(),
    disclosure_id: text(),
    version: count(1),
    what: text<'audit_log' | 'card' | 'exchanges'>('card').fixed(),
    /** Never the data that was shown. */
    request: json<object>().fixed(),
    created: time().fixed(),
  },
})
export type Disclosure = RowOf<typeof disclosures>

export async function disclose(context: Context, merchant_id: string, what: Disclosure['what'], request: object): Promise<void> {
  const after: Disclosure = { merchant_id, disclosure_id: newId(context, 'dis_'), version: 1, what, request, created: context.now() }
  await context.commit(changeTo(context, disclosures.name, { before: null, after }, `${what}_shown`, { ownId: true }))
}
