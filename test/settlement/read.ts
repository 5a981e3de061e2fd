import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SettlementLine, UnreadLine } from '../../src/settlement/line.ts'
import { openReport, type ReadOptions } from '../../src/settlement/readers/read-report.ts'

/** Reads examples of reports, which have the columns of the vendors' documents. */
export const example = (name: string): Buffer => readFileSync(join(import.meta.dirname, 'examples', name))

export async function* inPieces(bytes: Buffer, length = bytes.length): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

export type Report = { reader: string | null; lines: SettlementLine[]; unread: UnreadLine[] }

/** Reads a whole report. `piece`: the bytes that arrive at once. */
export async function readAll(bytes: Buffer | string, options: ReadOptions = {}, piece?: number): Promise<Report> {
  const report = await openReport(inPieces(Buffer.from(bytes as never), piece), options)
  const [lines, unread]: [SettlementLine[], UnreadLine[]] = [[], []]
  for await (const line of report.lines) {
    if ('problem' in line) unread.push(line)
    else lines.push(line)
  }
  return { reader: report.reader?.name ?? null, lines, unread }
}
