import { Refusal } from '../base/refusal.ts'

type Whether = { allowed: boolean; code: string | null; words: string | null }

export const showWhether = (check: () => unknown): Whether => whether(refusalOf(check))

/** For a check that first reads rows. */
export const showWhetherLater = async (check: () => Promise<unknown>): Promise<Whether> => {
  try {
    await check()
    return whether(null)
  } catch (error) {
    return whether(refusalIn(error))
  }
}

function whether(refusal: Refusal | null): Whether {
  return { allowed: refusal === null, code: refusal?.entry.code ?? null, words: refusal && (refusal.why ?? refusal.message) }
}

function refusalOf(check: () => unknown): Refusal | null {
  try {
    check()
    return null
  } catch (error) {
    return refusalIn(error)
  }
}

function refusalIn(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  throw error
}
