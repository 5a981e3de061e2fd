import { Checkbox } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { answer, POST, type Schemas } from '../../api'
import { useOpenApproval } from '../../parts/approvals'
import Confirm from '../../parts/confirm'
import { TextField } from '../../parts/inputs'
import { amountFrom, withCurrency } from '../../parts/money'

type Limits = Record<string, number>

/**
 * Reads limits by currency, as `EUR 500.00, USD 600`, in the lowest denomination. Returns null if an entry is not an
 * amount.
 */
function limitsFrom(typed: string): Limits | null {
  const parts = typed.split(/[,;]\s*/).filter(part => part.trim() !== '')
  const all = parts.map(part => {
    const [, currency, amount] = /^\s*([A-Z]{3})\s+(\S+)\s*$/.exec(part) ?? []
    const minor = currency === undefined ? null : amountFrom(amount!, currency)
    return minor === null ? null : ([currency!, minor] as const)
  })
  return all.includes(null) ? null : Object.fromEntries(all as (readonly [string, number])[])
}

const typedFrom = (limits: Limits | undefined): string =>
  Object.entries(limits ?? {})
    .map(([currency, amount]) => `${currency} ${withCurrency(amount, currency).split(' ')[0]!.replaceAll(',', '')}`)
    .join(', ')

const formatLimits = (limits: Limits): string =>
  Object.entries(limits)
    .map(([currency, amount]) => withCurrency(amount, currency))
    .join(', ')

/** Shows a form for the rules that say which requests need the approval of a second person. */
export default function ChangeLimits({ settings, close }: { settings: Schemas['SecondPerson']; close(): void }): ReactElement {
  const [above, setAbove] = useState(typedFrom(settings.above))
  const [operators, setOperators] = useState(typedFrom(settings.operator_refunds_up_to))
  const [isApart, setApart] = useState(settings.maker_may_not_fulfill === true)
  const queries = useQueryClient()
  const openApproval = useOpenApproval()
  const [most, least] = [limitsFrom(above), limitsFrom(operators)]
  const wrong = 'Amounts by currency: EUR 500.00, USD 500.00'
  return (
    <Confirm
      title="Change what needs a second person?"
      act="Change it"
      acting="Changing…"
      keep="Leave it"
      close={close}
      consequence={
        most === null || least === null ? null : (
          <p>
            <b className="strong">
              {above.trim() === ''
                ? 'Each person refunds and pays out alone.'
                : `Refunds and payouts above ${formatLimits(most)} wait for a second person.`}
            </b>{' '}
            {settings.above !== undefined && 'A second person has to approve of this change first.'}
          </p>
        )
      }
      send={async key => {
        const body = {
          ...(settings.expires_after !== undefined && { expires_after: settings.expires_after }),
          ...(above.trim() !== '' && { above: most! }),
          ...(operators.trim() !== '' && { operator_refunds_up_to: least! }),
          ...(isApart && { maker_may_not_fulfill: true }),
        }
        const response = await answer(POST('/approvals/settings', { params: { header: { 'Idempotency-Key': key } }, body }))
        await queries.invalidateQueries({ queryKey: ['approvals'] })
        openApproval(response)
      }}
    >
      <TextField
        label="A second person above"
        hint="By currency; other currencies always need one. Empty: never"
        placeholder="EUR 500.00, USD 500.00"
        value={above}
        error={most === null ? wrong : null}
        change={setAbove}
        data-autofocus
      />
      <TextField
        label="Operators refund up to"
        hint="Of one payment, by currency. Empty: no limit of their own"
        value={operators}
        error={least === null ? wrong : null}
        change={setOperators}
      />
      <Checkbox label="Who made a payout may not fulfill it" checked={isApart} onChange={event => setApart(event.currentTarget.checked)} />
    </Confirm>
  )
}
