import { namesOf } from '../base/log.ts'
import { between } from '../base/time.ts'
import type { Change, Context } from '../context.ts'
import { type Operation, operations } from '../operations/operation.ts'

/** An operation's result, with every id that it can be searched by. */
export type AttemptRecord = Pick<
  Operation,
  | 'merchant_id'
  | 'kind'
  | 'object_id'
  | 'n'
  | 'verb'
  | 'purpose'
  | 'connector'
  | 'merchant_connector_id'
  | 'request_id'
  | 'reference'
  | 'refund_id'
  | 'state'
> & {
  payment_id?: string
  payout_id?: string
  amount: number
  currency: string
  method: string | null
  code: string | null
  /** The reason why the result is not known, or why nothing was sent. */
  why?: string
  ms: number
  by: string
  req_id: string | null
}

/** Receives the result of an attempt, with the operation before and after. */
export type AttemptObserver = (attempt: AttemptRecord, was: Operation, is: Operation) => void

export function reportAttemptsOf(change: Change, req_id: string | null, report: AttemptObserver): void {
  for (const { table, before, after } of change.rows) {
    if (table !== operations.name || before === null || after === null || before.state === after.state) continue
    const one = after as Operation
    const request = change.after.request as { payment_method?: string } | null | undefined
    const attempt: AttemptRecord = {
      merchant_id: one.merchant_id,
      kind: one.kind,
      object_id: one.object_id,
      n: one.n,
      verb: one.verb,
      purpose: one.purpose,
      connector: one.connector,
      merchant_connector_id: one.merchant_connector_id,
      request_id: one.request_id,
      reference: one.reference,
      refund_id: one.refund_id,
      state: one.state,
      amount: one.amount,
      currency: one.currency,
      method: request?.payment_method ?? null,
      code: one.response?.code ?? null,
      ...(one.response?.why !== undefined && { why: one.response.why }),
      ms: between(one.began, one.modified_at),
      by: change.by,
      req_id,
      ...namesOf(one),
    }
    report(attempt, before as Operation, one)
  }
}

/** Reports attempts once their change is written. `req_id`: of the request that made it; null if none did. */
export const withAttemptReports =
  (commit: Context['commit'], report: AttemptObserver, req_id: string | null): Context['commit'] =>
  async change => {
    const result = await commit(change)
    if (result.is === 'written' && change.rows.length > 0) reportAttemptsOf(change, req_id, report)
    return result
  }
