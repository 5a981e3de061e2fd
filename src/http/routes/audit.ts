import Type from 'typebox'
import { DEPLOYMENT } from '../../accounts/gsm.ts'
import { auditQuery, listAudit } from '../../audit/list.ts'
import { refuse } from '../../base/refusal.ts'
import { orNull } from '../../base/shapes.ts'
import { disclose } from '../../vault/disclosures.ts'
import { listSchema, schema, text, texts, time } from '../answer-shapes.ts'
import { has } from '../credentials.ts'
import { endpoint, tagged } from '../endpoint.ts'

const auditEntryAnswer = schema('AuditEntry', {
  entry: Type.Integer({ description: 'Number of the entry, with gaps; used for pagination' }),
  merchant_id: Type.String({ description: 'Owner; @deployment for entries without a merchant' }),
  object_kind: text,
  object_id: text,
  version: Type.Integer({ description: 'Version of the object after the change' }),
  ...texts('type by'),
  was: orNull(Type.Object({}, { additionalProperties: true }), 'Previous values of the changed columns, without encrypted data'),
  set: orNull(
    Type.Object({}, { additionalProperties: true }),
    'New values of the changed columns, without encrypted data; null if nothing was changed or the object no longer exists',
  ),
  request_id: orNull(text, 'The x-request-id of the request; null for work of the service itself'),
  address: orNull(text, 'Network address of the caller; null for a merchant’s key if the admin made the change'),
  created: time,
  place: orNull(Type.Integer(), 'Position in the chain; null for at most a second'),
  seal: orNull(text, 'Keyed digest of the entry and the previous seal'),
})

export const auditRoutes = tagged(
  'Audit',
  'The audit log: who changed what, when and from where, for every administrative change and every read of this log. Entries are append-only and chained: `npm run audit:verify` finds the first entry that was changed, removed, inserted or moved.',
  { confidential: 'nothing', sdk: ['audit', 'Audit'], platforms: 'for itself too' },
  [
    endpoint('GET /audit', 'listAudit', {
      title: 'List the audit log',
      description: 'Lists administrative changes and reads of this log, newest first. A merchant’s key lists only its own entries.',
      auth: { credential: 'secret or admin', permission: 'audit:own', scope: 'profile' },
      query: auditQuery,
      answers: listSchema('AuditLog', auditEntryAnswer),
      json: async ({ context, who, query }) => {
        const own = who.is === 'secret' ? who.merchant.merchant_id : null
        if (own !== null && query.merchant_id !== undefined && query.merchant_id !== own)
          refuse('forbidden', { problem: 'merchant_id does not match the merchant of this API key' })
        const merchant_id = own ?? query.merchant_id ?? null
        // A caller whose role or scopes do not include the changes of others sees only their own.
        const asked = has(who, 'audit:read') ? query : { ...query, by: context.by }
        const data = await listAudit(context, merchant_id, asked, own === null ? 'admin' : 'merchant')
        await disclose(context, merchant_id ?? DEPLOYMENT, 'audit_log', query)
        return { size: data.length, data }
      },
    }),
  ],
)
