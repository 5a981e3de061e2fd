// The comparison of the service with the frozen yardstick, judged against the floors.
import { median, type Round, ratio, speed, table, times, whole } from './figures.ts'
import { type Floors, floors } from './floors.ts'
import { DISTURBED } from './quiet.ts'

/** One floor and its result: `found` is null if no valid point was measured. */
type Judged = { what: string; found: number | null; held: boolean; message: string }

/** Judges every floor. `memory`: MB after the first 10,000 payments. */
function judge(rounds: Round[], memory: number | null, at: Floors = floors): Judged[] {
  const ratios = Object.entries(at.ofYardstick).map(([clients, floor]): Judged => {
    const found = ratio(rounds, 'pay', Number(clients), 'yardstick')
    const under = found === null ? 0 : 1 - found / floor
    const message = `${times(found)} of the yardstick, ${whole(under * 100)}% under its floor of ${times(floor)}`
    return { what: `${clients} clients`, found, held: under <= at.tolerance, message }
  })
  const held = memory === null || memory < at.memory.under
  return [...ratios, { what: 'memory', found: memory, held, message: `${memory} MB, not under ${at.memory.under} MB` }]
}

/** Returns the verdict in one line. A floor without a measurement counts as not measured. */
export function verdict(rounds: Round[], memory: number | null, at: Floors = floors): string {
  const judged = judge(rounds, memory, at)
  const broken = judged.filter(one => !one.held)
  const missing = judged.filter(one => one.found === null).map(one => one.what)
  const result =
    broken.length > 0
      ? `NOT HELD (${broken.map(one => `${one.what}: ${one.message}`).join('; ')})`
      : missing.length === judged.length
        ? 'none'
        : missing.length > 0
          ? 'held as far as it was measured'
          : 'held'
  const others = rounds.flat().filter(point => point.what === 'pay' || point.what === 'yardstick')
  const disturbed = others.length > 0 ? median(others.map(point => point.others)) : 0
  return [
    `Verdict: ${result}`,
    ...(missing.length > 0 ? [`not measured: ${missing.join(', ')}`] : []),
    ...(rounds.length < 3 ? [`${rounds.length === 1 ? 'one round is' : `${rounds.length} rounds are`} too few to rely on`] : []),
    ...(disturbed > DISTURBED ? [`other programs used ${whole(disturbed)}% of a core: measure again when they are quiet`] : []),
  ].join('; ')
}

/** Returns the table and the verdict; null if the yardstick was not measured. */
export function ratchet(rounds: Round[], memory: number | null, at: Floors = floors): string | null {
  const numbers = new Set(rounds.flat().flatMap(point => (point.what === 'yardstick' ? [point.clients] : [])))
  if (numbers.size === 0) return null
  const head = [
    'clients',
    'service/s',
    "today's statements/s",
    'yardstick/s',
    'service of yardstick',
    'floor',
    "today's statements of yardstick",
  ]
  const rate = (number: number | null) => (number === null ? '-' : whole(number))
  const rows = [...numbers].map(clients => [
    String(clients),
    rate(speed(rounds, 'pay', clients)),
    rate(speed(rounds, 'one at a time', clients)),
    rate(speed(rounds, 'yardstick', clients)),
    times(ratio(rounds, 'pay', clients, 'yardstick')),
    times(at.ofYardstick[clients] ?? null),
    times(ratio(rounds, 'one at a time', clients, 'yardstick')),
  ])
  return `Ratchet: create and confirm in one call, beside the statements of bench/yardstick, which never change (payments)
${table([head, ...rows])}
Memory: ${memory === null ? 'not measured' : `${memory} MB`} (${at.memory.reached} MB was reached; under ${at.memory.under} MB is allowed)
${verdict(rounds, memory, at)}`
}
