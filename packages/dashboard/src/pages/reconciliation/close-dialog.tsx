import { Radio } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { answer, POST, type Schemas } from '../../api'
import { plural } from '../../format'
import Confirm from '../../parts/confirm'
import { Choice, TextField } from '../../parts/inputs'
import { dayInWords } from '../../parts/time'
import { openIn } from './close'
import { monthInWords, monthsToClose, yesterday } from './period'

type Props = { merchant_connector_id: string; name: string; periods: Schemas['SettlementPeriods']; close(): void }

/** Asks through which month or day books are closed. */
export default function CloseDialog({ merchant_connector_id, name, periods, close }: Props): ReactElement {
  const queries = useQueryClient()
  const { after, figures } = periods.open
  const months = monthsToClose(after)
  const [kind, setKind] = useState<'month' | 'day'>(months.length > 0 ? 'month' : 'day')
  const [month, setMonth] = useState(months[0] ?? '')
  const [day, setDay] = useState(yesterday())
  const period = kind === 'month' ? month : day
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day) && day <= yesterday() && (after === null || day > after)
  const isFit = kind === 'month' ? month !== '' : isDay
  const words = kind === 'month' ? month && monthInWords(month) : isDay ? dayInWords(day) : ''
  const open = openIn(figures)
  return (
    <Confirm
      title={`Close the books of ${name}?`}
      act={words === '' ? 'Close' : `Close ${words}`}
      acting="Closing…"
      keep="Leave them open"
      close={close}
      consequence={
        isFit ? (
          <p>
            <b className="strong">The figures through {words} do not move any more.</b> What is read later counts for the day after it.{' '}
            {open > 0 && `${plural(open, 'difference is', 'differences are')} open now, and can still be settled: in the open days. `}It
            cannot be opened again.
          </p>
        ) : null
      }
      send={async key => {
        const body = { merchant_connector_id, period }
        await answer(POST('/reconciliation/periods/close', { params: { header: { 'Idempotency-Key': key } }, body }))
        await queries.invalidateQueries({ queryKey: ['reconciliation'] })
      }}
    >
      <Radio.Group label="Through" value={kind} onChange={value => setKind(value as 'month' | 'day')}>
        <div className="row-wrap radios">
          <Radio value="month" label="A month" disabled={months.length === 0} />
          <Radio value="day" label="A day" />
        </div>
      </Radio.Group>
      {kind === 'month' ? (
        <Choice label="Month" data={months.map(value => ({ value, label: monthInWords(value) }))} value={month} change={setMonth} />
      ) : (
        <TextField
          label="Day"
          type="date"
          hint="The last day that is closed, by UTC"
          value={day}
          max={yesterday()}
          change={setDay}
          error={isDay ? null : 'A day that is over, and not closed yet'}
        />
      )}
    </Confirm>
  )
}
