const MOST_KNOWN = 20_000
/**
 * Of what is not there, only so much is remembered: a caller who insists on one wrong key must not ask the database
 * each time.
 */
const MOST_UNKNOWN = 1_000

export type Lookup<T> = Promise<T | undefined>

/** Something that remembers, and forgets what is of these merchants, or all of it. */
export type Forgetful = { forget(merchants: ReadonlySet<string>): void; clear(): void }

/** Something that was read, or is being read; `of`: whose it is, once that is known. */
type Entry<T> = { value: Lookup<T>; of: string | null }

const dropOldest = (store: { keys(): Iterator<string>; delete(name: string): unknown }): unknown => store.delete(store.keys().next().value!)

/**
 * What was read, by name, each of one merchant. A burst for one thing asks once, and a failed reading is forgotten.
 * What strangers ask for in vain has a small store of its own: it neither grows nor takes the place of what is there.
 * In either, the oldest makes way.
 */
export function openCache<T>(whose: (found: T) => string) {
  const known = new Map<string, Entry<T>>()
  const unknown = new Set<string>()
  function learn(name: string, read: () => Lookup<T>): Lookup<T> {
    if (known.size >= MOST_KNOWN) dropOldest(known)
    const entry: Entry<T> = { value: read(), of: null }
    known.set(name, entry)
    /** Only what was not dropped meanwhile. */
    const drop = () => known.get(name) === entry && known.delete(name)
    entry.value.then(found => {
      if (found !== undefined) {
        entry.of = whose(found)
      } else if (drop()) {
        if (unknown.size >= MOST_UNKNOWN) dropOldest(unknown)
        unknown.add(name)
      }
    }, drop)
    return entry.value
  }
  return {
    get: (name: string, read: () => Lookup<T>): Lookup<T> =>
      known.get(name)?.value ?? (unknown.has(name) ? Promise.resolve(undefined) : learn(name, read)),
    /** Forgets what is of these merchants, or may turn out to be: what is being read, and what was not there. */
    forget(merchants: ReadonlySet<string>): void {
      unknown.clear()
      for (const [name, { of }] of known) if (of === null || merchants.has(of)) known.delete(name)
    },
    clear(): void {
      unknown.clear()
      known.clear()
    },
    size: () => known.size + unknown.size,
  }
}
