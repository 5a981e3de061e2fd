/** Looks one name of an owner up; undefined if there is nothing. */
export type Gathered<Found> = (owner: string, name: string) => Promise<Found | undefined>

type Round<Found> = { names: string[]; begin(): void; found: Promise<ReadonlyMap<string, Found>> }

/**
 * Look-ups of concurrent requests, asked together: the first goes out at once, those that gather meanwhile follow as
 * one query, and so on; no timer, so one request alone never waits. A caller never receives what was read before its
 * request. Each owner has questions of its own. `ask`: what there is by these names; should it fail, it fails for all
 * who asked.
 */
export function gathered<Found>(ask: (owner: string, names: readonly string[]) => Promise<ReadonlyMap<string, Found>>): Gathered<Found> {
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
