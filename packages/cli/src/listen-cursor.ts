import { appendKept, keepSecret, readKept } from './settings.ts'

/**
 * How far a listener has come. `began`: what is older is not its own; `after`: all up to it was answered, and of what
 * follows, `done`.
 */
type Cursor = { began: string | null; after: string | null; done: string[] }

/** So long the stream may tell an event again. */
const REMEMBERED_MS = 120_000
/** A stream that goes on after an event tells those of so long before it again. */
const BEHIND_MS = 60_000
const SAVE_EVERY_MS = 100
/** After so many lines the file is written anew. */
const MOST_LINES = 1000

/** The time at which an event's id begins, in milliseconds since 1970. */
export const timeOf = (id: string): number => Number.parseInt(id.slice(4, 16), 16)

/** A cursor is kept as lines, each with what is new since the one before: few bytes each time, however much comes. */
function readCursor(name: string): Cursor {
  const kept: Cursor = { began: null, after: null, done: [] }
  for (const line of readKept(name)?.split('\n') ?? []) {
    try {
      const { began = null, after = null, done = [] } = JSON.parse(line) as Partial<Cursor>
      kept.began = began ?? kept.began
      kept.after = after ?? kept.after
      kept.done.push(...done)
    } catch {
      // The last line of a listener that was killed while it wrote it: what it names comes once more.
    }
  }
  return kept
}

/**
 * The cursor of a listener, in this file. `from`: begin after this event and forget what was there; null: from now on;
 * undefined: go on.
 */
export function openCursor(name: string, from: string | null | undefined) {
  const kept: Cursor = from === undefined ? readCursor(name) : { began: from, after: from, done: [] }
  let { began, after } = kept
  const done = new Set(kept.done)
  /** Ids in the order in which they came, and whether each is answered. */
  const coming: string[] = []
  const open = new Set<string>()
  let news: string[] = []
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
    news = []
    lines = 0
    if (after !== null) keepSecret(name, `${JSON.stringify({ began, after, done: [...done] } satisfies Cursor)}\n`)
  }
  function save(): void {
    timer = null
    lines++
    if (lines > MOST_LINES) writeAnew()
    else appendKept(name, `${JSON.stringify({ after, done: news })}\n`)
    news = []
  }
  writeAnew()

  return {
    /** After which event the stream goes on; undefined: from now on. */
    after: after ?? undefined,
    /** The stream began here: a listener that is ended before its first event goes on from here. */
    begins(at: string): void {
      if (after !== null) return
      began = at
      after = at
      writeAnew()
    },
    /** After which event a new stream goes on. */
    now: () => after ?? undefined,
    /** Did it come before, or is it of before this listener's time? What is far older was written late, and is new. */
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
      news.push(id)
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
