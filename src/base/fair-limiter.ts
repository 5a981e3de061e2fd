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

/** `begin` is called at most once, when the request gets its place, and must not throw. Only the limiter sets `is`. */
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

/** `places`: how many requests may run at once. `longest`: how many requests may wait in one line. */
export class FairLimiter {
  readonly #longest: number
  #free: number
  readonly #held = { lines: new Tally(), merchants: new Tally(), ends: new Tally() }
  /** The lines that have waiting requests, in the order of their turns. */
  readonly #waiting = new Map<string, Set<Waiter>>()
  #serving = false
  #again = false

  constructor(places: number, longest: number) {
    this.#free = places
    this.#longest = longest
  }

  /** Begins the request now or in its turn. False if too many of its line wait: it then never begins. */
  enter(turn: Waiter): boolean {
    const queue = this.#waiting.get(turn.line)
    if (!queue && this.#hasRoom(turn)) {
      this.#take(turn)
      return true
    }
    if ((queue?.size ?? 0) >= this.#longest) {
      turn.is = 'over'
      return false
    }
    turn.is = 'waiting'
    if (queue) queue.add(turn)
    else this.#waiting.set(turn.line, new Set([turn]))
    return true
  }

  /** Ends a request, whether it holds a place or still waits. Calling this twice changes nothing. */
  leave(turn: Waiter): void {
    const was = turn.is
    turn.is = 'over'
    if (was === 'holding') this.#count(turn, -1)
    if (was === 'waiting') {
      const queue = this.#waiting.get(turn.line)
      queue?.delete(turn)
      if (queue?.size === 0) this.#waiting.delete(turn.line)
    }
    if (this.#waiting.size > 0) this.#serve()
  }

  /** The lines that have waiting requests. */
  get waiting(): ReadonlyMap<string, ReadonlySet<Waiter>> {
    return this.#waiting
  }

  /** How many places each line, merchant and end holds. One that holds none is not stored. */
  get holding(): Readonly<Record<'lines' | 'merchants' | 'ends', ReadonlyMap<string, number>>> {
    return this.#held
  }

  /** Whether a request may take a place now. */
  #hasRoom({ line, merchant, to }: Waiter): boolean {
    const { lines, merchants, ends } = this.#held
    const own = lines.of(line)
    return own === 0 ? ends.of(to) < 2 * this.#free : 8 * own + merchants.of(merchant) + ends.of(to) < this.#free
  }

  /** Counts a place that a request takes (1) or gives back (-1). */
  #count({ line, merchant, to }: Waiter, more: 1 | -1): void {
    this.#free -= more
    this.#held.lines.add(line, more)
    this.#held.merchants.add(merchant, more)
    this.#held.ends.add(to, more)
  }

  #take(turn: Waiter): void {
    this.#count(turn, 1)
    turn.is = 'holding'
    turn.begin()
  }

  /**
   * Gives free places to the waiting lines in turn. A line that took a place and still has requests moves to the end
   * of the map, where the loop reaches it again. A request that ends while this method runs only starts another round.
   */
  #serve(): void {
    this.#again = true
    if (this.#serving) return
    this.#serving = true
    while (this.#again) {
      this.#again = false
      for (const [line, queue] of this.#waiting) {
        const [turn] = queue
        if (!turn || !this.#hasRoom(turn)) continue
        queue.delete(turn)
        this.#waiting.delete(line)
        if (queue.size > 0) this.#waiting.set(line, queue)
        this.#take(turn)
      }
    }
    this.#serving = false
  }
}
