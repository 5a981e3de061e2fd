import { Refusal } from '../base/refusal.ts'

/** Whether an action would be refused, by the check that the operation itself goes by. */
export function showWhether(check: () => unknown): { allowed: boolean; code: string | null; words: string | null } {
  const refusal = refusalOf(check)
  return { allowed: refusal === null, code: refusal?.entry.code ?? null, words: refusal && (refusal.why ?? refusal.message) }
}

function refusalOf(check: () => unknown): Refusal | null {
  try {
    check()
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
