// Figures of several rounds, made one; and how they are written.
import type { Point, What } from './points.ts'

/** Points of a round, in order; one without a partner in its round (void, or not measured) takes part in no ratio. */
export type Round = Point[]

export const median = (numbers: number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

const find = (round: Round, what: What, clients: number): Point | undefined =>
  round.find(point => point.what === what && point.clients === clients && point.void === null)

/** The median of what was done in a second; null if nothing was measured that counts. */
export function speed(rounds: Round[], what: What, clients: number): number | null {
  const speeds = rounds.flatMap(round => find(round, what, clients)?.perSecond ?? [])
  return speeds.length > 0 ? median(speeds) : null
}

/** The median of the ratios within each round: what disturbed a round disturbed both sides of it. */
export function ratio(rounds: Round[], what: What, clients: number, limit: What, limitClients = clients): number | null {
  const ratios = rounds.flatMap(round => {
    const [point, bound] = [find(round, what, clients), find(round, limit, limitClients)]
    return point && bound ? [point.perSecond / bound.perSecond] : []
  })
  return ratios.length > 0 ? median(ratios) : null
}

/** Columns of text, numbers to the right. */
export function table(rows: string[][]): string {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map(row => row[i]!.length)))
  return rows.map(row => `  ${row.map((cell, i) => cell.padStart(widths[i]!)).join('  ')}`).join('\n')
}

export const whole = (number: number) => String(Math.round(number))
export const fine = (number: number) => (number < 10 ? number.toFixed(2) : number < 100 ? number.toFixed(1) : whole(number))
export const times = (number: number | null) => (number === null ? '-' : `${number.toFixed(2)}x`)
