/**
 * A limit on concurrent requests: a fixed number of places, with waiting lines. Within a line, requests are served in
 * the order of arrival; the lines take turns.
 *
 * No line, merchant or end (the origin of a processor) has reserved places, and none can take all of them: the more
 * places it holds, the more places must be free before it may take another. Of 1,024 places a single line gets 94, a
 * second line of the same merchant 68, a line of another merchant then 64, and so on. A line without a place gets its
 * first place while a third of all places are free, regardless of which lines hold the rest: a new merchant is not
 * blocked by a hundred and fifty merchants whose requests hold their places until they time out. (Network switches
 * share their buffers in this way: Choudhury and Hahn, "Dynamic queue length thresholds", 1998.)
 */

/**
 * A request that waits for or holds a place. `begin` is called at most once, when the request gets its place, and must
 * not throw. `is` is set only by the limiter.
 */
export type Waiter = { line: string; merchant: string; to: string; begin(): void; is: 'new' | 'waiting' | 'holding' | 'over' }

/** A count for each name. A name whose count is zero is not stored. */
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

/** Opens the places, and counts how many of them each line, merchant and end holds. */
function openPlaces(places: number) {
  let free = places
  const lines = new Tally()
  const merchants = new Tally()
  const ends = new Tally()

  return {
    /** Whether a request may take a place now. */
    hasRoom({ line, merchant, to }: Waiter): boolean {
      const own = lines.of(line)
      return own === 0 ? ends.of(to) < 2 * free : 8 * own + merchants.of(merchant) + ends.of(to) < free
    },

    /** Counts a place that a request takes (1) or gives back (-1). */
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

/** Opens a limiter. `places`: how many requests may run at once. `longest`: how many requests may wait in one line. */
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
   * Gives free places to the waiting lines in turn. A line that took a place and still has requests moves to the end
   * of the map, where the loop reaches it again. A request that ends while this function runs only starts another
   * round.
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
     * Begins the request now, or as soon as its turn comes. Returns false if too many requests of its line wait
     * already; the request then never begins.
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

    /** Ends a request, whether it holds a place or still waits. Calling this twice changes nothing. */
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
     * The lines that have waiting requests, and how many places each line, merchant and end holds. A line that neither
     * holds a place nor has a waiting request is not stored.
     */
    waiting: waiting as ReadonlyMap<string, ReadonlySet<Waiter>>,
    holding,
  }
}
