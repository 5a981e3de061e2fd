import { int, json, table, text, time } from './table.ts'

/** One row per version of a payment: the body for version *v* is the row minus the later `was`. */
export const events = table('events', {
  key: ['merchant_id', 'payment_id', 'version'],
  columns: {
    merchant_id: text(),
    payment_id: text(),
    version: int(),
    sequence: int().orNull(),
    event_id: text(),
    type: text(),
    announces: text().orNull(),
    was: json(),
    set: json(),
    created: time(),
  },
})
