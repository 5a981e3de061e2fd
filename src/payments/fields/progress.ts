import type { Field } from '../../resources/field.ts'

const made = { kept: 'nowhere', shown: 'otherwise' } as const

/**
 * What becomes of a payment: members of answers that no request says, as far as exports have them. Answers are
 * made in `show/members.ts`; columns are described in `payment.ts`, in the order of its statements.
 */
export const progress = {
  status: { ...made, exported: 2 },
  net_amount: { ...made, exported: 5 },
  amount_received: { ...made, exported: 6 },
  amount_capturable: { ...made, exported: 7 },
  merchant_connector_id: { ...made, exported: 9 },
  connector_transaction_id: { ...made, exported: 10 },
  attempt_count: { ...made, exported: 17 },
  error_code: { ...made, exported: 18 },
  error_message: { ...made, exported: 19 },
  unified_code: { ...made, exported: 20 },
  created: { ...made, exported: 23 },
  modified_at: { ...made, exported: 24 },
} satisfies Record<string, Field>
