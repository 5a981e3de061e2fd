/** A set of names with a limited size. When the set is full, the oldest name is dropped. */
export type BoundedSet = { has(name: string): boolean; add(name: string): void }

/** Opens an empty set of names. `most`: how many names the set holds. */
export function boundedSet(most: number): BoundedSet {
  const names = new Set<string>()
  return {
    has: name => names.has(name),
    add(name) {
      if (names.has(name)) return
      if (names.size >= most) names.delete(names.values().next().value!)
      names.add(name)
    },
  }
}
