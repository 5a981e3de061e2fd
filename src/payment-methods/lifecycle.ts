import { moves, type StateOf } from '../base/lifecycle.ts'

/** Deleting a payment method deletes its row. */
export const lifecycle = moves({
  new: { awaited: 'awaiting_data', stored: 'active', used: 'processing' },
  /** The customer provides the data within 15 minutes, the lifetime of its client_secret. */
  awaiting_data: { stored: 'active', lapsed: 'inactive' },
  /** Saved by a payment that is not decided yet. */
  processing: { paid: 'active', declined: 'inactive' },
  active: { renewed: 'updated' },
  updated: { renewed: 'updated' },
  inactive: {},
})
export type MethodStatus = StateOf<typeof lifecycle>

export const usable: readonly MethodStatus[] = ['active', 'updated']
