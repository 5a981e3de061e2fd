import { moves, type StateOf } from '../base/lifecycle.ts'

/** What becomes of a saved payment method. One that is deleted is gone with its row. */
export const lifecycle = moves({
  new: { awaited: 'awaiting_data', stored: 'active', used: 'processing' },
  /** Created without data: its customer brings them, within the quarter of an hour that its client_secret lasts. */
  awaiting_data: { stored: 'active', lapsed: 'inactive' },
  /** Saved by a payment that is not decided yet. */
  processing: { paid: 'active', declined: 'inactive' },
  active: { renewed: 'updated' },
  updated: { renewed: 'updated' },
  inactive: {},
})
export type MethodStatus = StateOf<typeof lifecycle>

/** Statuses in which it can be paid with. */
export const usable: readonly MethodStatus[] = ['active', 'updated']
