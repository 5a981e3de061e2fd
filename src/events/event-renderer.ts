import type { Merchant } from '../accounts/merchant.ts'
import type { Context, Row, Statement } from '../context.ts'
import { statement } from '../database/statement.ts'
import { select, type Table } from '../database/table.ts'
import { type Headline, type HistoryRow, headlineOf } from './headline.ts'

/**
 * An event to be sent: the object as it was when the event happened, and the values by which receivers are chosen.
 * `kind`, `head_id` and `version` are those of the changed object. `status`: that of a payment, refund, dispute or
 * payout. `platform`: the platform that started the payment or payout for its connected account; it receives the event
 * in place of that account.
 */
export type EventPayload = Headline &
  Pick<HistoryRow, 'merchant_id' | 'event_id' | 'kind' | 'version' | 'sequence' | 'created'> & {
    head_id: string
    profile_id: string | null
    object: Record<string, unknown>
    status: string | null
    platform: string | null
  }

export type RenderScope = { context: Pick<Context, 'query'>; merchant: Merchant; publicUrl: string }

/** The renderer of events for one kind of object with a history. `H`: the object's row. `B`: the data read with it. */
export type EventRenderer<H extends Row = Row, B = unknown> = {
  table: Table
  byIds: Statement
  /** Tables about whose rows there are events, and which change with the object. They name it by its own key. */
  within?: readonly Table[]
  /** Reads more data, before the history as the object is: a change between the two reads is subtracted as well. */
  beside?(scope: RenderScope, ids: readonly string[], heads: Promise<readonly H[]>): Promise<B>
  /** Renders the event of one change: the object as it was after the change. `all`: the object's whole history. */
  payloadOf(scope: RenderScope, now: H, all: readonly HistoryRow[], change: HistoryRow, beside: B): EventPayload | Promise<EventPayload>
  /** Returns the object whose changes are listed under this id, which is its own id or that of one of its parts. */
  listedBy?(context: Pick<Context, 'query'>, merchant_id: string, id: string): Promise<(H & { version: number }) | undefined>
}

/** Hides the row type from code that handles all kinds: each renderer receives only rows of its own kind. */
export const eventRenderer = <H extends Row, B = undefined>(is: Omit<EventRenderer<H, B>, 'byIds'>): EventRenderer => {
  const { name, key } = is.table
  const byIds = statement(`${name}_to_announce`, select(is.table, `where merchant_id = $1 and ${key.at(-1)} = any($2)`))
  return { ...is, byIds } as unknown as EventRenderer
}

export const eventBase = (change: HistoryRow, profile_id: string, platform: string | null): Omit<EventPayload, 'object' | 'status'> => ({
  platform,
  merchant_id: change.merchant_id,
  event_id: change.event_id,
  kind: change.kind,
  head_id: change.object_id,
  version: change.version,
  sequence: change.sequence,
  profile_id,
  ...headlineOf(change),
  created: change.created,
})
