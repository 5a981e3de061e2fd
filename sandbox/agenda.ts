// The entries that become due in an account, earliest first (a binary heap). An entry is only a hint to look: whether
// the entry still applies is checked when it is due.

export type Entry = { due: number; what: 'operation' | 'hold' | 'dispute' | 'delivery'; id: string }

export class Agenda {
  #heap: Entry[] = []

  get first(): Entry | undefined {
    return this.#heap[0]
  }

  add(entry: Entry): void {
    const heap = this.#heap
    let at = heap.push(entry) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (heap[parent]!.due <= entry.due) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = entry
  }

  takeDue(now: number): Entry | null {
    const heap = this.#heap
    const first = heap[0]
    if (first === undefined || first.due > now) return null
    const moved = heap.pop()!
    if (heap.length > 0) this.#sink(moved)
    return first
  }

  #sink(moved: Entry): void {
    const heap = this.#heap
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && heap[child + 1]!.due < heap[child]!.due) child++
      if (heap[child]!.due >= moved.due) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = moved
  }
}
