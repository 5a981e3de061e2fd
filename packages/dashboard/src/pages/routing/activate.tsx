import { Checkbox } from '@mantine/core'
import { type ReactElement, useState } from 'react'
import { plural } from '../../format'
import Confirm from '../../parts/confirm'
import { TextField } from '../../parts/inputs'
import { movedIn, type Simulation } from './simulation'

type Props = {
  name: string
  simulation: Simulation | null
  isSimulating: boolean
  send(reason: string, key: string): Promise<void>
  close(): void
}

export default function Activate({ name, simulation, isSimulating, send, close }: Props): ReactElement {
  const [reason, setReason] = useState('')
  const [isKnown, setKnown] = useState(false)
  const nowhere = simulation?.would_go_nowhere.payments ?? 0
  const isReady = reason.trim() !== '' && !isSimulating && (nowhere === 0 || isKnown)
  return (
    <Confirm
      title={`Activate ${name}?`}
      act="Activate the rules"
      acting="Activating…"
      keep="Keep the rules as they are"
      close={close}
      consequence={
        isReady ? (
          <p>
            <b className="strong">From now on every new payment goes by {name}.</b>{' '}
            {simulation === null
              ? 'It was not simulated.'
              : `Of the last month, ${movedIn(simulation)} of ${plural(simulation.payments, 'payment')} would have gone elsewhere.`}
            {nowhere > 0 && ` ${plural(nowhere, 'payment')} would have gone nowhere.`} Payments that were sent stay where they are.
          </p>
        ) : null
      }
      send={key => send(reason.trim(), key)}
    >
      {isSimulating && <p role="status">Simulating the last month…</p>}
      <TextField label="Reason" hint="For the history and the audit log" value={reason} maxLength={255} change={setReason} data-autofocus />
      {nowhere > 0 && (
        <Checkbox
          label={`${plural(nowhere, 'payment')} of the last month would have gone nowhere`}
          checked={isKnown}
          onChange={event => setKnown(event.currentTarget.checked)}
        />
      )}
    </Confirm>
  )
}
