import type { Merchant } from '../accounts/merchant.ts'
import type { Context, Row, Statement } from '../context.ts'
import { statement } from '../database/statement.ts'
import { select, type Table } from '../database/table.ts'
import { type Headline, type HistoryRow, newsOf } from './news.ts'

/**
 * What an event is about: the object as it was when it happened, and what receivers go by. `kind`, `head_id`,
 * `version`: of what it is, and which version of that. `status`: of a payment, refund, dispute or payout. `platform`:
 * that started it for its connected account, and hears of it in its place.
 */
export type EventPayload = Headline &
  Pick<HistoryRow, 'merchant_id' | 'event_id' | 'kind' | 'version' | 'sequence' | 'created'> & {
    head_id: string
    profile_id: string | null
    object: Record<string, unknown>
    status: string | null
    platform: string | null
  }

/** The merchant whose events are rendered, and the URL that customers are sent to. */
export type Telling = { context: Pick<Context, 'query'>; merchant: Merchant; publicUrl: string }

/** What tells merchants of one kind of objects with a history. `H`: its row. `B`: what is read beside it. */
export type Teller<H extends Row = Row, B = unknown> = {
  table: Table
  /** Those with these ids (`$2`) of a merchant (`$1`). */
  byIds: Statement
  /** Tables whose rows move with it, and whose objects events may be about; they name it by its own key. */
  within?: readonly Table[]
  /**
   * What is told of is read before its history, and so is what this gives: what moves in between is then taken back
   * as well.
   */
  beside?(telling: Telling, ids: readonly string[], heads: Promise<readonly H[]>): Promise<B>
  /** One change as it is told: the object as it was after it. `all`: its whole history. */
  tell(telling: Telling, now: H, all: readonly HistoryRow[], change: HistoryRow, beside: B): EventPayload | Promise<EventPayload>
  /** The object whose changes are listed under this id: its own, or that of what is within it. */
  listedBy?(context: Pick<Context, 'query'>, merchant_id: string, id: string): Promise<(H & { version: number }) | undefined>
}

/** A teller, as those know it who tell of all kinds: each is handed its own rows only. */
export const teller = <H extends Row, B = undefined>(is: Omit<Teller<H, B>, 'byIds'>): Teller => {
  const { name, key } = is.table
  const byIds = statement(`${name}_to_tell`, select(is.table, `where merchant_id = $1 and ${key.at(-1)} = any($2)`))
  return { ...is, byIds } as unknown as Teller
}

/** What is said of every change that is told. */
export const tellOf = (change: HistoryRow, profile_id: string, platform: string | null): Omit<EventPayload, 'object' | 'status'> => ({
  platform,
  merchant_id: change.merchant_id,
  event_id: change.event_id,
  kind: change.kind,
  head_id: change.object_id,
  version: change.version,
  sequence: change.sequence,
  profile_id,
  ...newsOf(change),
  created: change.created,
})
