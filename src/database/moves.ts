import { type RowOf, table, text, time } from './table.ts'

/**
 * Merchants that move between deployments (`npm run merchant:move`, decision 187). `leaving`: it is read here and
 * nothing of it is written; `moved`: it is at `address`, for good; `arriving`: its rows are here, and its former
 * deployment is not closed yet. A merchant that is served here has no row.
 */
export type MoveState = 'leaving' | 'moved' | 'arriving'

export const merchantMoves = table('merchant_moves', {
  key: ['merchant_id'],
  columns: {
    merchant_id: text(),
    /** Of one move, the same in both databases. */
    move_id: text(),
    state: text<MoveState>('leaving'),
    /** Where it is served from then on, if the operator said so. */
    address: text().orNull(),
    changed: time(),
  },
})
export type MerchantMove = RowOf<typeof merchantMoves>

/** In SQL: no worker takes up what is of a merchant that moves. Hardly any has a row, so this costs nothing. */
export const notMoving = `merchant_id not in (select merchant_id from ${merchantMoves.name})`

/** What the database says to a write of a merchant whose rows are fenced. */
export const FENCED = 'SY001'
export const isFenced = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === FENCED
