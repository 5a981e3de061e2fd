import type { Time } from '../../context.ts'

/**
 * What became of a hold or a capture that was changed afterwards. It stands in the payment's row, so that answers and
 * events tell it as it was at every version; null for most.
 */
export type Adjustments = {
  /** All that were asked for, oldest first. */
  increments?: readonly Increment[]
  extended_at?: Time
  post_capture_void?: PostCaptureVoid
  /** Each time that the rest of a hold was to be let go without a capture, oldest first. */
  releases?: readonly Release[]
  /** The latest capture that lets the rest of its hold go (its operation), and how much that is. */
  final?: { n: number; rest: number }
  /** How many disputes it has had, and how much of it was lost by them. */
  disputes?: { count: number; lost: number }
}

/** How something ended. `unresolved`: not reported within seven days. */
export type AdjustmentOutcome = 'success' | 'failure' | 'unresolved'

/** One raising of what is held. `amount`: what the payment then costs in all. `n`: its operation. */
export type Increment = {
  authorization_id: string
  n: number
  amount: number
  previously_authorized_amount: number
  status: 'processing' | AdjustmentOutcome
  error_code: string | null
  error_message: string | null
}

/** `amount`: what was held. `n`: its operation. */
export type Release = PostCaptureVoid & { n: number; amount: number }

/** `connector_reference_id`: the processor's name of it. `description`: why it failed. */
export type PostCaptureVoid = {
  status: 'pending' | 'succeeded' | 'failed'
  connector_reference_id: string | null
  description: string | null
  updated_at: Time
}
