const MOST_KNOWN = 20_000
/** Of what is not there, only so much is remembered: a caller who insists on one wrong key must not ask the database each time. */
const MOST_UNKNOWN = 1_000

export type Found<T> = Promise<T | undefined>

/**
 * What was read, by name. A burst for one thing asks once, and a failed reading is forgotten. What strangers ask for in vain has a small store of its own, in which the oldest makes way: it
 * neither grows nor takes the place of what is there.
 */
export function openMemory<T>() {
  const known = new Map<string, Found<T>>()
  const unknown = new Set<string>()
  function learn(name: string, read: () => Found<T>): Found<T> {
    if (known.size >= MOST_KNOWN) known.clear()
    const value = read()
    known.set(name, value)
    const forget = () => known.get(name) === value && known.delete(name)
    value.then(found => {
      if (found !== undefined) return
      forget()
      if (unknown.size >= MOST_UNKNOWN) unknown.delete(unknown.values().next().value!)
      unknown.add(name)
    }, forget)
    return value
  }
  return {
    get: (name: string, read: () => Found<T>): Found<T> =>
      known.get(name) ?? (unknown.has(name) ? Promise.resolve(undefined) : learn(name, read)),
    size: () => known.size + unknown.size,
  }
}
