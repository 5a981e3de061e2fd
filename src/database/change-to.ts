import type { EventType } from '../base/event-types.ts'
import type { Change, Context, Posting, Row, RowChange } from '../context.ts'

/** The parts of a change beside the move of its head. A change that announces nothing is not sent to an endpoint. */
type More = { rows?: RowChange[]; announces?: EventType | null; answer?: unknown; ownId?: boolean; posts?: Posting | undefined }

/** Returns a guarded move of a row for `commit`; `before` null creates it. `type`: its name in the history. */
export function changeTo<T extends Row>(
  { by }: Pick<Context, 'by'>,
  head: string,
  { before, after }: { before: Row | null; after: T },
  type: string,
  { rows = [], announces = null, ...more }: More = {},
): Change & { after: T } {
  return { head, before, after, rows, event: { type, announces }, by, ...more }
}
