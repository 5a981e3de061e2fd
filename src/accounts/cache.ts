const MOST_KNOWN = 20_000
/** A caller who repeats a wrong key must not cause a query each time. */
const MOST_UNKNOWN = 1_000

export type Lookup<T> = Promise<T | undefined>

export type Forgetful = { forget(merchants: ReadonlySet<string>): void; clear(): void }

/** `of`: its merchant, null until it is known. */
type Entry<T> = { value: Lookup<T>; of: string | null }

const dropOldest = (store: { keys(): Iterator<string>; delete(name: string): unknown }): unknown => store.delete(store.keys().next().value!)

/**
 * Concurrent look-ups of a name cause one query; a failed one is not cached. Unknown names have a store of their own,
 * so that they displace no values. A full store drops its oldest entry.
 */
export function openCache<T>(ownerOf: (found: T) => string) {
  const known = new Map<string, Entry<T>>()
  const unknown = new Set<string>()
  function learn(name: string, read: () => Lookup<T>): Lookup<T> {
    if (known.size >= MOST_KNOWN) dropOldest(known)
    const entry: Entry<T> = { value: read(), of: null }
    known.set(name, entry)
    const drop = () => known.get(name) === entry && known.delete(name)
    entry.value.then(found => {
      if (found !== undefined) {
        entry.of = ownerOf(found)
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
    /** Also drops entries that are still being read, and all names that did not exist. */
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
