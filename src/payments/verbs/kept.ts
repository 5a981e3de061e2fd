import { isReturnOfOthers, type Operation } from '../../operations/operation.ts'

/** Money of a payment that is no sale: the processor keeps it, or has returned it. Pure. */

export const sumOf = (some: readonly Operation[]): number => some.reduce((sum, { amount }) => sum + amount, 0)

/** Whether an operation of ours returns what a payment has taken, so that it is no sale. */
export const isReturn = ({ purpose, verb }: Pick<Operation, 'purpose' | 'verb'>): boolean =>
  verb === 'post_capture_void' || (purpose === 'reversal' && verb === 'refund')

/** Returns the sum of what others had the processor return. */
export const returnedByOthers = (operations: readonly Operation[]): number =>
  sumOf(operations.filter(one => isReturnOfOthers(one) && one.state === 'done'))

/** Returns what the processor refused to return of a payment that is no sale, less what others had it return since. */
export const keptOf = (operations: readonly Operation[]): number =>
  (operations.findLast(one => isReturn(one) && one.state === 'declined')?.amount ?? 0) - returnedByOthers(operations)
