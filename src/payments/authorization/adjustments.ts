import type { Time } from '../../context.ts'

/** The later changes of a hold or capture, in the payment's row so that every version shows its own; usually null. */
export type Adjustments = {
  /** All requested increments, oldest first. */
  increments?: readonly Increment[]
  extended_at?: Time
  post_capture_void?: PostCaptureVoid
  /** Each request to release the rest of a hold without a capture, oldest first. */
  releases?: readonly Release[]
  /** The latest capture that releases the rest of its hold: `n` is its operation, `rest` the released amount. */
  final?: { n: number; rest: number }
  /** Captures, refunds, voids and increments made at the processor, added up. */
  outside?: number
  /** The number of the payment's disputes, and the amount lost by them. */
  disputes?: { count: number; lost: number }
}

/** The final status of an adjustment. `unresolved`: not reported within seven days. */
export type AdjustmentOutcome = 'success' | 'failure' | 'unresolved'

/** One increment of the held amount. `amount`: the new total amount of the payment. `n`: its operation. */
export type Increment = {
  authorization_id: string
  n: number
  amount: number
  previously_authorized_amount: number
  status: 'processing' | AdjustmentOutcome
  error_code: string | null
  error_message: string | null
}

/** One release of the rest of a hold. `amount`: the held amount. `n`: its operation. */
type Release = PostCaptureVoid & { n: number; amount: number }

/** A cancel after the capture. `connector_reference_id`: its id at the processor. `description`: why it failed. */
export type PostCaptureVoid = {
  status: 'pending' | 'succeeded' | 'failed'
  connector_reference_id: string | null
  description: string | null
  updated_at: Time
}
