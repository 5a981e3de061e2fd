import { refuse } from '../base/refusal.ts'
import { connectors } from '../connectors/all.ts'

/** Refuses (IR_07) a reason that the processor does not accept. */
export function checkReason(connector: string, reason: string | undefined): void {
  const known = connectors[connector]?.accepts.refund_reasons
  if (reason === undefined || !known || known.includes(reason)) return
  refuse('invalid_value', { field: 'reason', problem: `must be one of ${known.join(', ')} for ${connector}` })
}
