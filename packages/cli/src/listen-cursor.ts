import { appendKept, keepSecret, readKept } from './settings.ts'

/**
 * The position of a listener in the events. `began`: earlier events are not the listener's. `after`: all events up to
 * this one are answered. `done`: answered events after it.
 */
type Cursor = { began: string | null; after: string | null; done: string[] }

/** The time for which an answered event is remembered, because the stream may repeat it. */
const REMEMBERED_MS = 120_000
/** The time before its position that a resumed stream repeats. */
const BEHIND_MS = 60_000
const SAVE_EVERY_MS = 100
/** The number of lines after which the file is rewritten. */
const MOST_LINES = 1000

/** Returns the time in an event's id, in milliseconds since 1970. */
export const timeOf = (id: string): number => Number.parseInt(id.slice(4, 16), 16)

/**
 * Reads a cursor. Each line of the file holds the changes since the line before, so that a write is a few bytes
 * however many events come.
 */
function readCursor(name: string): Cursor {
  const kept: Cursor = { began: null, after: null, done: [] }
  for (const line of readKept(name)?.split('\n') ?? []) {
    try {
      const { began = null, after = null, done = [] } = JSON.parse(line) as Partial<Cursor>
      kept.began = began ?? kept.began
      kept.after = after ?? kept.after
      kept.done.push(...done)
    } catch {
      // The listener was killed while it wrote the last line. The events of that line are sent once more.
    }
  }
  return kept
}

/**
 * Opens the cursor of a listener in a file. `from`: begin after this event and forget the stored position; null: begin
 * now; undefined: resume.
 */
export function openCursor(name: string, from: string | null | undefined) {
  const kept: Cursor = from === undefined ? readCursor(name) : { began: from, after: from, done: [] }
  let { began, after } = kept
  const done = new Set(kept.done)
  /** Event ids in the order in which they came; `open` holds those without an answer. */
  const coming: string[] = []
  const open = new Set<string>()
  let pending: string[] = []
  let lines = 0
  let timer: NodeJS.Timeout | null = null

  function prune(): void {
    if (after === null) return
    const oldest = timeOf(after) - REMEMBERED_MS
    for (const id of done)
      if (timeOf(id) < oldest) done.delete(id)
      else break
  }
  function writeAnew(): void {
    prune()
    pending = []
    lines = 0
    if (after !== null) keepSecret(name, `${JSON.stringify({ began, after, done: [...done] } satisfies Cursor)}\n`)
  }
  function save(): void {
    timer = null
    lines++
    if (lines > MOST_LINES) writeAnew()
    else appendKept(name, `${JSON.stringify({ after, done: pending })}\n`)
    pending = []
  }
  writeAnew()

  return {
    /** The event after which the stream resumes; undefined: the stream begins now. */
    after: after ?? undefined,
    /**
     * Stores the position at which the stream began. A listener that is stopped before its first event resumes here.
     */
    begins(at: string): void {
      if (after !== null) return
      began = at
      after = at
      writeAnew()
    },
    /** Returns the event after which a new stream resumes. */
    now: () => after ?? undefined,
    /**
     * Whether the event came before, or happened before the listener's time. An event that is much older was written
     * late, so it is new.
     */
    has(id: string): boolean {
      const before = began === null ? 0 : timeOf(began) - timeOf(id)
      return done.has(id) || open.has(id) || (before > 0 && before < BEHIND_MS)
    },
    comes(id: string): void {
      coming.push(id)
      open.add(id)
    },
    answered(id: string): void {
      open.delete(id)
      done.add(id)
      pending.push(id)
      let through = 0
      while (through < coming.length && !open.has(coming[through]!)) {
        if (after === null || coming[through]! > after) after = coming[through]!
        through++
      }
      coming.splice(0, through)
      prune()
      timer ??= setTimeout(save, SAVE_EVERY_MS)
    },
    close(): void {
      if (timer) clearTimeout(timer)
      writeAnew()
    },
  }
}
