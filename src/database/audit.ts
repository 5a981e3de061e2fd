import type { Origin, Time, Vault } from '../context.ts'
import { bigint, flag, int, table, text, time } from './table.ts'

/**
 * The audit log: one row for each change of an audited table (`Table.audited`), written by the change's own statement.
 * `changes` has who, what and when; the row adds the origin of the request, and a keyed digest of all of it. A sealer
 * gives each row its `place` in a chain, and a `seal` over the one before (`audit/`).
 */
table('audit_log', {
  key: ['n', 'merchant_id'],
  columns: {
    n: bigint(),
    merchant_id: text(),
    kind: text(),
    object_id: text(),
    version: int(),
    request_id: text().orNull(),
    address: text().orNull(),
    created: time(),
    mac: text(),
    place: bigint().orNull(),
    seal: text().orNull(),
  },
})

/** The end of the chain, in one row. */
table('audit_chain', { key: ['one'], columns: { one: flag(), place: bigint(), seal: text() } })

/** The data that the digest of an entry covers. `was`: the text of that column of its change. */
export type Audited = {
  merchant_id: string
  kind: string
  object_id: string
  version: number
  event_id: string
  type: string
  by: string | null
  was: string
  created: Time
  request_id: string | null
  address: string | null
}

type Digest = Vault['digest']

/** Returns a keyed digest of an entry: an entry cannot be altered or added without the deployment's key. */
export const macOf = (digest: Digest, a: Audited): string =>
  digest(
    'audit entry',
    JSON.stringify([a.merchant_id, a.kind, a.object_id, a.version, a.event_id, a.type, a.by, a.was, a.created, a.request_id, a.address]),
  )

/** Returns the seal of the entry at a place, over the seal of the one before. */
export const sealOf = (digest: Digest, before: string, place: number, mac: string): string =>
  digest('audit chain', JSON.stringify([before, place, mac]))

/** The origin of changes that no request has made: work of the service's own. */
export const nowhere: { [N in keyof Origin]: null } = { request_id: null, address: null }
