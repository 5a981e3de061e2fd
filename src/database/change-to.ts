import type { Change, Context, Posting, Row, RowChange } from '../context.ts'

/** What a change has beside the move of its head. A change that announces nothing is not sent to an endpoint. */
type More = { rows?: RowChange[]; announces?: string | null; answer?: unknown; ownId?: boolean; posts?: Posting | undefined }

/**
 * One guarded move of a row, as `commit` writes it: `before` null makes a new one. `type`: what its history calls it.
 */
export function changeTo<T extends Row>(
  { by }: Pick<Context, 'by'>,
  head: string,
  { before, after }: { before: Row | null; after: T },
  type: string,
  { rows = [], announces = null, ...more }: More = {},
): Change & { after: T } {
  return { head, before, after, rows, event: { type, announces }, by, ...more }
}
