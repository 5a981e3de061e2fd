import { type RowOf, table, text, time } from './table.ts'

/**
 * Merchants that move between deployments (`npm run merchant:move`). `leaving`: the merchant is read here, and none of
 * its rows are written; `moved`: the merchant is at `address`, for good; `arriving`: its rows are here, and its former
 * deployment is not closed yet. A merchant that is served here has no row (docs/design/moving-merchants.md).
 */
export type MoveState = 'leaving' | 'moved' | 'arriving'

export const merchantMoves = table('merchant_moves', {
  key: ['merchant_id'],
  columns: {
    merchant_id: text(),
    /** The id of a move, the same in both databases. */
    move_id: text(),
    state: text<MoveState>('leaving'),
    /** The address of the deployment that serves the merchant from then on, if the operator has named one. */
    address: text().orNull(),
    changed: time(),
  },
})
export type MerchantMove = RowOf<typeof merchantMoves>

/** SQL condition: no worker takes rows of a merchant that moves. It costs nothing, as hardly any merchant does. */
export const notMoving = `merchant_id not in (select merchant_id from ${merchantMoves.name})`

/** The SQLSTATE with which the database refuses a write of a merchant whose rows are fenced. */
const FENCED = 'SY001'
export const isFenced = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === FENCED
