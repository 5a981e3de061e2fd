import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { Failure, type Schemas } from '../../api'
import { none } from '../../parts/cells'
import { ObjectLink } from '../../parts/id'
import { Loaded } from '../../parts/loaded'
import { Money } from '../../parts/money'
import { Table } from '../../parts/table'
import { dayInWords } from '../../parts/time'
import { kindOfLine } from './causes'

type Line = Schemas['SettlementLine']

/** The lines that are shown; the export has all of them. */
const MOST = 50

const addressOf = (settlement_file_id: string, format: 'csv' | 'jsonl'): string =>
  `/reconciliation/files/${settlement_file_id}/export?format=${format}`
export const csvOf = (settlement_file_id: string): string => addressOf(settlement_file_id, 'csv')

/** Reads the first lines of a file's export and ends it: a file may have a million. */
async function firstLines(settlement_file_id: string, signal: AbortSignal): Promise<Line[]> {
  const { ok, status, statusText, body } = await fetch(addressOf(settlement_file_id, 'jsonl'), { credentials: 'same-origin', signal })
  if (!ok || body === null) throw new Failure(status, String(status), statusText)
  const bytes = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await bytes.read()
    text += decoder.decode(value, { stream: !done })
    const whole = text.split('\n').slice(0, -1)
    if (!done && whole.length < MOST) continue
    if (!done) void bytes.cancel()
    return whole.slice(0, MOST).map(line => JSON.parse(line) as Line)
  }
}

/** Shows the lines that a file was the first to have. */
export function FileLines({ settlement_file_id }: { settlement_file_id: string }): ReactElement {
  const asked = useQuery({
    queryKey: ['reconciliation', 'lines', settlement_file_id],
    queryFn: ({ signal }) => firstLines(settlement_file_id, signal),
  })
  return (
    <Loaded what="Lines" asked={asked}>
      {lines =>
        lines === undefined ? (
          <p className="muted" aria-busy="true">
            Reading…
          </p>
        ) : lines.length === 0 ? (
          <p className="muted">It has no line that another file did not have before.</p>
        ) : (
          <Table
            isPaired
            title="Lines of the file"
            rows={lines.map((line, n) => ({ ...line, n }))}
            keyOf={({ n }) => String(n)}
            columns={[
              { name: 'Line', look: 'num', cell: ({ line }) => line.toLocaleString('en') },
              { name: 'Kind', cell: ({ type }) => kindOfLine(type) },
              { name: 'Settles', cell: ({ object_id, reference }) => (object_id ? <ObjectLink id={object_id} /> : (reference ?? none)) },
              { name: 'Amount', right: true, cell: ({ gross, currency }) => <Money amount={gross} currency={currency} /> },
              { name: 'Fee', right: true, cell: ({ fee, currency }) => <Money amount={fee} currency={currency} /> },
              { name: 'Settled', right: true, cell: ({ net, currency }) => <Money amount={net} currency={currency} /> },
              { name: 'Day', right: true, wide: true, look: 'num', cell: ({ booked_at }) => (booked_at ? dayInWords(booked_at) : none) },
            ]}
          />
        )
      }
    </Loaded>
  )
}
