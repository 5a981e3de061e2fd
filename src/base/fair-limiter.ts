/**
 * A limited number of places, and whose turn it is when requests must wait. A line is first come, first served; among
 * lines the turns go round.
 *
 * No line, merchant or end has places of its own, and none can take them all: the more it holds, the more must be
 * left free for it to take another. Of 1,024 places a line alone gets 94, another of its merchant 68, then another
 * merchant 64, and so on. A line that holds nothing finds its first place while a third of all are free, whichever
 * lines hold the rest: a newcomer is not held up by a hundred and fifty merchants who hold theirs until they time
 * out. (Switches deal out their buffers like this: Choudhury and Hahn, "Dynamic queue length thresholds", 1998.)
 */

/**
 * A request for a place. `begin` is called at most once, when there is one, and must not throw. `is` belongs to the
 * turns.
 */
export type Waiter = { line: string; merchant: string; to: string; begin(): void; is: 'new' | 'waiting' | 'holding' | 'over' }

/** How many each name has; a name without any costs nothing. */
class Tally extends Map<string, number> {
  of(name: string): number {
    return this.get(name) ?? 0
  }

  add(name: string, more: 1 | -1): void {
    const now = this.of(name) + more
    if (now === 0) this.delete(name)
    else this.set(name, now)
  }
}

/** The places, and who holds how many of them. */
function openPlaces(places: number) {
  let free = places
  const lines = new Tally()
  const merchants = new Tally()
  const ends = new Tally()

  return {
    /** May this one take a place now? */
    hasRoom({ line, merchant, to }: Waiter): boolean {
      const own = lines.of(line)
      return own === 0 ? ends.of(to) < 2 * free : 8 * own + merchants.of(merchant) + ends.of(to) < free
    },

    /** It takes a place (1), or gives it back (-1). */
    count(turn: Waiter, more: 1 | -1): void {
      free -= more
      lines.add(turn.line, more)
      merchants.add(turn.merchant, more)
      ends.add(turn.to, more)
    },

    holding: { lines, merchants, ends } as Record<'lines' | 'merchants' | 'ends', ReadonlyMap<string, number>>,
  }
}

export type FairLimiter = ReturnType<typeof openFairLimiter>

/** `places`: how many can be held at once. `longest`: how many may wait in one line. */
export function openFairLimiter(places: number, longest: number) {
  const { hasRoom, count, holding } = openPlaces(places)
  /** The lines that have waiting requests, in the order of their turns. */
  const waiting = new Map<string, Set<Waiter>>()
  let serving = false
  let again = false

  function take(turn: Waiter): void {
    count(turn, 1)
    turn.is = 'holding'
    turn.begin()
  }

  /**
   * Once round: a line that took a turn and still waits goes to the end, where the walk comes by again. What ends
   * while it is being begun only asks for another walk.
   */
  function serve(): void {
    again = true
    if (serving) return
    serving = true
    while (again) {
      again = false
      for (const [line, queue] of waiting) {
        const [turn] = queue
        if (!turn || !hasRoom(turn)) continue
        queue.delete(turn)
        waiting.delete(line)
        if (queue.size > 0) waiting.set(line, queue)
        take(turn)
      }
    }
    serving = false
  }

  return {
    /**
     * Begins now, or as soon as it is this one's turn. False: too many of its line wait already, and it never begins.
     */
    enter(turn: Waiter): boolean {
      const queue = waiting.get(turn.line)
      if (!queue && hasRoom(turn)) {
        take(turn)
        return true
      }
      if ((queue?.size ?? 0) >= longest) {
        turn.is = 'over'
        return false
      }
      turn.is = 'waiting'
      if (queue) queue.add(turn)
      else waiting.set(turn.line, new Set([turn]))
      return true
    },

    /** It is over, or not wanted any more. Leaving twice changes nothing. */
    leave(turn: Waiter): void {
      const was = turn.is
      turn.is = 'over'
      if (was === 'holding') count(turn, -1)
      if (was === 'waiting') {
        const queue = waiting.get(turn.line)
        queue?.delete(turn)
        if (queue?.size === 0) waiting.delete(turn.line)
      }
      if (waiting.size > 0) serve()
    },

    /**
     * The lines that have waiting requests, and how many places each line, merchant and end holds. Lines that neither
     * hold nor wait are not kept.
     */
    waiting: waiting as ReadonlyMap<string, ReadonlySet<Waiter>>,
    holding,
  }
}
