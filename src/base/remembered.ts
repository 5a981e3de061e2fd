/** Names that were seen, as many as fit; the oldest makes way. */
export type Remembered = { has(name: string): boolean; add(name: string): void }

/** `most`: how many are remembered. */
export function openRemembered(most: number): Remembered {
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
