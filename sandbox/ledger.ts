// An append-only file of JSON lines. Writes that arrive during a sync share the next sync.

import { createReadStream } from 'node:fs'
import { mkdir, open, rename, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

export type Ledger<Line> = {
  append(line: Line): void
  /** Resolves when everything appended so far is on the disk. */
  synced(): Promise<void>
  close(): Promise<void>
}

/** How a full disk is called, and how long a ledger waits before it tries to write again. */
const FULL = ['ENOSPC', 'EDQUOT']
const PAUSE_MS = 1000

/**
 * Opens a ledger to write. While the disk is full, nothing is acknowledged: the lines wait in memory and are written,
 * in their order, once there is room. `pause_ms`: the pause between two attempts.
 */
export async function openLedger<Line>(file: string, pause_ms = PAUSE_MS): Promise<Ledger<Line>> {
  // Makes only the last folder, not its parents: Node's `recursive` tries forever where no folder can be made (/proc).
  await mkdir(dirname(file)).catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
  let handle = await open(file, 'a')
  await syncDirectory(file)

  let gathered = ''
  let last: Promise<void> = Promise.resolve()
  let state: 'open' | 'closed' = 'open'

  async function flush(): Promise<void> {
    const text = gathered
    gathered = ''
    for (let isFirst = true; ; isFirst = false) {
      const { size } = await handle.stat()
      try {
        await handle.appendFile(text)
        return await handle.datasync()
      } catch (error) {
        if (state === 'closed' || !FULL.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
        if (isFirst) process.stderr.write(`sandbox: the disk of ${file} is full; payments wait until there is room\n`)
      }
      await wait(pause_ms)
      // What was written of the text is cut off before it is written again.
      if (size > 0) await handle.truncate(size)
      await handle.close()
      handle = await open(file, 'a')
    }
  }

  return {
    append(line) {
      if (state === 'closed') throw new Error('the ledger is closed')
      if (gathered === '') {
        // After a failed write the promise stays rejected: from then on nothing is written and nothing is
        // acknowledged.
        last = last.then(flush)
        last.catch(() => {})
      }
      gathered += `${JSON.stringify(line)}\n`
    },
    synced: () => last,
    async close() {
      state = 'closed'
      await last.catch(() => {})
      await handle.close()
    },
  }
}

/** Passes every complete line to `read`. Cuts off an incomplete last line, which a crash may leave. */
export async function replayLedger<Line>(file: string, read: (line: Line, n: number) => void): Promise<void> {
  let whole = 0
  let torn: number | null = null
  for await (const { text, n, end, complete } of linesOf(file)) {
    if (torn !== null) throw new Error(`line ${torn} of the ledger is damaged; only the last line can be cut off`)
    const line = complete ? parse<Line>(text) : null
    if (line === null) {
      torn = n
      continue
    }
    read(line, n)
    whole = end
  }
  if (torn !== null) await truncate(file, whole)
}

/**
 * Rewrites the file without the lines that `keep` rejects. The old file stays in place until the new file is complete
 * and synced.
 */
export async function rewriteLedger<Line>(file: string, keep: (line: Line, n: number) => boolean): Promise<void> {
  const next = `${file}.next`
  const handle = await open(next, 'w')
  let kept: string[] = []
  for await (const { text, n } of linesOf(file)) {
    if (keep(JSON.parse(text), n)) kept.push(`${text}\n`)
    if (kept.length < 1000) continue
    await handle.writeFile(kept.join(''))
    kept = []
  }
  await handle.writeFile(kept.join(''))
  await handle.sync()
  await handle.close()
  await rename(next, file)
  await syncDirectory(file)
}

type Read = { text: string; n: number; end: number; complete: boolean }

async function* linesOf(file: string): AsyncGenerator<Read> {
  let rest: Buffer = Buffer.alloc(0)
  let n = 0
  let end = 0
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
      let from = 0
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      for (let to = rest.indexOf(10); to !== -1; to = rest.indexOf(10, from)) {
        end += to + 1 - from
        yield { text: rest.toString('utf8', from, to), n: ++n, end, complete: true }
        from = to + 1
      }
      rest = rest.subarray(from)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  if (rest.length > 0) yield { text: rest.toString('utf8'), n: n + 1, end: end + rest.length, complete: false }
}

function parse<Line>(text: string): Line | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function syncDirectory(file: string): Promise<void> {
  const directory = await open(dirname(file), 'r')
  await directory.sync()
  await directory.close()
}
