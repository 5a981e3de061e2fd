import type { Schemas } from '../../api'
import { plural } from '../../format'
import type { Family } from '../../parts/status-families'

export type SettlementFile = Schemas['SettlementFile']

export const isBeingRead = ({ state }: SettlementFile): boolean => state === 'receiving' || state === 'waiting' || state === 'posting'

const sentence = (parts: readonly string[]): string => {
  const text = parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? '')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

const differ = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'differs' : 'differ'}`

function resultOfStatement({ lines, matched, known, unread }: NonNullable<SettlementFile['counts']>): string {
  if (lines > 0 && known === lines && matched === 0) return `All ${plural(lines, 'entry', 'entries')} were read before: nothing changed.`
  return sentence([
    `${plural(lines - known, 'new entry', 'new entries')} of the bank`,
    ...(known > 0 ? [`${known.toLocaleString('en')} read before`] : []),
    ...(unread > 0 ? [`${unread.toLocaleString('en')} that cannot be read`] : []),
    `${plural(matched, 'payout')} found to have arrived`,
  ])
}

/** Says in one sentence what a file has changed. */
export function resultOf({ state, counts, problem, merchant_connector_id }: SettlementFile): string {
  if (state === 'receiving') return 'It is being uploaded.'
  if (state === 'waiting') return 'It is being read.'
  if (state === 'posting') return 'It is being booked.'
  if (state === 'discarded') return 'Discarded: nothing of it was booked.'
  if (state === 'failed') return `It could not be read: ${problem?.replace(/\.$/, '') ?? 'the reason is not known'}.`
  if (counts === null) return 'Read.'
  const { lines, matched, known, open } = counts
  if (state === 'held') return `Nothing of it was booked, because ${plural(open, 'line differs', 'lines differ')}.`
  if (merchant_connector_id === null) return resultOfStatement(counts)
  if (lines + open === 0) return 'It has no lines: nothing changed.'
  if (known === lines && open === 0)
    return `${lines === 1 ? 'Its line was' : `All ${lines.toLocaleString('en')} lines were`} read before: nothing changed.`
  return sentence([
    `${plural(matched, 'line')} matched`,
    ...(open > 0 ? [differ(open)] : []),
    ...(known > 0 ? [`${known.toLocaleString('en')} read before`] : []),
  ])
}

export function familyOfFile(file: SettlementFile): Family {
  if (isBeingRead(file)) return 'way'
  if (file.state === 'discarded') return 'ended'
  if (file.state === 'failed') return 'no'
  const { open = 0, unread = 0 } = file.counts ?? {}
  return file.state === 'held' || open + unread > 0 ? 'person' : 'done'
}
