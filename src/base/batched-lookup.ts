/** Looks up one name of an owner. Returns undefined if nothing is found. */
export type BatchedLookup<Found> = (owner: string, name: string) => Promise<Found | undefined>

type Round<Found> = { names: string[]; begin(): void; found: Promise<ReadonlyMap<string, Found>> }

/**
 * Combines look-ups of concurrent requests. The first is sent at once; those that arrive meanwhile follow as one
 * query. No timer: a single request never waits, and none gets data read before it. Each owner has separate queries;
 * one that fails, fails for all its callers.
 */
export function batchedLookup<Found>(
  ask: (owner: string, names: readonly string[]) => Promise<ReadonlyMap<string, Found>>,
): BatchedLookup<Found> {
  const gathering = new Map<string, Round<Found>>()
  const underWay = new Set<string>()

  function open(owner: string): Round<Found> {
    const names: string[] = []
    let begin = () => {}
    const began = new Promise<void>(resolve => {
      begin = resolve
    })
    return { names, begin, found: began.then(() => ask(owner, names)) }
  }

  function follow(owner: string): void {
    const next = gathering.get(owner)
    if (!next) return void underWay.delete(owner)
    gathering.delete(owner)
    underWay.add(owner)
    next.begin()
    const ended = () => follow(owner)
    next.found.then(ended, ended)
  }

  return async (owner, name) => {
    let round = gathering.get(owner)
    if (!round) {
      round = open(owner)
      gathering.set(owner, round)
    }
    round.names.push(name)
    if (!underWay.has(owner)) follow(owner)
    return (await round.found).get(name)
  }
}
