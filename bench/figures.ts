// The figures of several rounds combined, and their formats.
import type { Point, What } from './points.ts'

/** The points of a round, in order. A point without a partner in its round (void, or not measured) is in no ratio. */
export type Round = Point[]

export const median = (numbers: number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

const find = (round: Round, what: What, clients: number): Point | undefined =>
  round.find(point => point.what === what && point.clients === clients && point.void === null)

/** Returns the median of the payments or requests a second; null if no valid point was measured. */
export function speed(rounds: Round[], what: What, clients: number): number | null {
  const speeds = rounds.flatMap(round => find(round, what, clients)?.perSecond ?? [])
  return speeds.length > 0 ? median(speeds) : null
}

/** Returns the median of the ratios within each round. A disturbance affects both sides of a round's ratio. */
export function ratio(rounds: Round[], what: What, clients: number, limit: What, limitClients = clients): number | null {
  const ratios = rounds.flatMap(round => {
    const [point, bound] = [find(round, what, clients), find(round, limit, limitClients)]
    return point && bound ? [point.perSecond / bound.perSecond] : []
  })
  return ratios.length > 0 ? median(ratios) : null
}

/** Formats rows as columns, with numbers aligned to the right. */
export function table(rows: string[][]): string {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map(row => row[i]!.length)))
  return rows.map(row => `  ${row.map((cell, i) => cell.padStart(widths[i]!)).join('  ')}`).join('\n')
}

export const whole = (number: number) => String(Math.round(number))
export const fine = (number: number) => (number < 10 ? number.toFixed(2) : number < 100 ? number.toFixed(1) : whole(number))
export const times = (number: number | null) => (number === null ? '-' : `${number.toFixed(2)}x`)
