import { Button } from '@mantine/core'
import type { ReactElement } from 'react'
import type { Operation, Payment } from '../../api'
import { withCurrency } from '../../parts/money'
import { Note } from '../../parts/note'
import { outsideAt, processorName } from '../../parts/processor'

/** What others do at the processor, in words. */
const done: Partial<Record<Operation['verb'], string>> = {
  capture: 'captured',
  refund: 'refunded',
  void: 'released',
  increment: 'held in all',
}

/** Says what others moved at the processor: the payment here follows it, and nobody here did it. */
export function MovedOutside({ operations }: { operations: readonly Operation[] }): ReactElement | null {
  const outside = operations.filter(({ purpose, state }) => purpose === 'external' && (state === 'done' || state === 'waiting'))
  if (outside.length === 0) return null
  return (
    <Note family="person" label="Moved outside">
      {outside.map(({ n, verb, amount, currency, connector, state, why }) => (
        <p key={n}>
          <b className="strong">
            {withCurrency(amount, currency)} {state === 'waiting' && 'is being '}
            {done[verb] ?? verb.replaceAll('_', ' ')} {outsideAt(connector)}
          </b>
          {why && `: “${why}”`}
        </p>
      ))}
      <p className="faint">Nobody did this here. The figures above count it.</p>
    </Note>
  )
}

/** Whether the processor and the service say different things of the payment, which nothing explains. */
export const isContradicted = ({ error_code }: Payment): boolean => error_code === 'outside'

/** Shows both figures of a contradiction, and what a person can do about it. */
export function Contradicted({ payment, sync }: { payment: Payment; sync: (() => void) | null }): ReactElement {
  const who = payment.connector ? processorName(payment.connector) : 'the processor'
  return (
    <Note
      family="person"
      label="The processor says otherwise"
      act={
        sync && (
          <Button variant="default" onClick={sync}>
            Ask again
          </Button>
        )
      }
    >
      <p className="strong">{payment.error_message?.replace('The processor', who).split(': check')[0]}.</p>
      <p>
        Nothing explains the difference, so nothing was booked. Look at {payment.connector_transaction_id ? 'this transaction' : 'it'} in
        the pages of {who}, put right there what is wrong, and ask again: what both agree on is booked by itself.
      </p>
    </Note>
  )
}
