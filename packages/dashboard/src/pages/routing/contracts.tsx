import { Select } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { answer, GET, POST } from '../../api'
import Confirm from '../../parts/confirm'
import { TextField } from '../../parts/inputs'
import { formatAmount } from '../../parts/money'
import { Exact } from '../../parts/time'
import { useAccounts, useMerchant } from '../../queries'

type Contract = { label: string; mca_id: string; target_count: number; target_time: number }

/**
 * Queries the contracts of a profile's accounts. Each change creates a new version with the same name; the interface
 * lists the latest first.
 */
function useContracts(profile_id: string) {
  return useQuery({
    queryKey: ['routing', 'contracts', profile_id],
    queryFn: async (): Promise<readonly Contract[]> => {
      const all = await answer(GET('/routing', { params: { query: { profile_id } } }))
      const latest = all.find(one => one.kind === 'dynamic' && /contract/i.test(one.name))
      if (latest === undefined) return []
      const params = { path: { routing_algorithm_id: latest.id } }
      const { algorithm } = await answer(GET('/routing/{routing_algorithm_id}', { params }))
      return (algorithm as { label_info?: Contract[] }).label_info ?? []
    },
  })
}

export function Contracts({ profile_id }: { profile_id: string }): ReactElement | null {
  const { data = [] } = useContracts(profile_id)
  if (data.length === 0) return null
  return (
    <ul className="in tight" aria-label="Contracts">
      {data.map(({ mca_id, label, target_count, target_time }) => (
        <li key={mca_id} className="muted">
          <b className="strong">{label}</b>: {formatAmount(target_count, 'JPY')} payments until{' '}
          <Exact at={new Date(target_time * 1000).toISOString()} />
        </li>
      ))}
    </ul>
  )
}

type Props = { profile_id: string; state: 'none' | 'metrics' | 'dynamic_connector_selection'; close(): void }

/**
 * Shows a dialog for a contract: the number of payments that an account is promised until a day. It replaces an
 * earlier contract of the account.
 */
export default function NewContract({ profile_id, state, close }: Props): ReactElement {
  const merchant_id = useMerchant()
  const queries = useQueryClient()
  const { data: accounts = [] } = useAccounts()
  const [mca_id, setAccount] = useState<string | null>(null)
  const [count, setCount] = useState('')
  const [day, setDay] = useState('')
  const own = accounts.filter(one => one.profile_id === profile_id && one.disabled !== true && one.connector_type === 'payment_processor')
  const account = own.find(one => one.merchant_connector_id === mca_id)
  const target_count = /^\d{1,9}$/.test(count) && Number(count) > 0 ? Number(count) : null
  // The contract ends at the end of that day in the browser's time zone.
  const until = /^\d{4}-\d{2}-\d{2}$/.test(day) ? new Date(`${day}T23:59:59`) : null
  const isLate = until !== null && until.getTime() <= Date.now()
  const enable = state === 'none' ? 'dynamic_connector_selection' : state
  return (
    <Confirm
      title="Set a contract for an account?"
      act="Set contract"
      acting="Saving…"
      keep="Cancel"
      close={close}
      consequence={
        account && target_count !== null && until !== null && !isLate ? (
          <p>
            <b className="strong">
              {enable === 'metrics'
                ? 'Nothing goes elsewhere: contracts are measured only.'
                : `Payments go first to ${account.connector_label} while it is behind ${formatAmount(target_count, 'JPY')} by that day.`}
            </b>{' '}
            An earlier contract of the account is replaced; those of others stay.
          </p>
        ) : null
      }
      send={async key => {
        const label_info = [
          {
            label: account!.connector_label ?? account!.connector_name,
            mca_id: mca_id!,
            target_count: target_count!,
            target_time: Math.floor(until!.getTime() / 1000),
          },
        ]
        const params = { path: { merchant_id, profile_id }, query: { enable }, header: { 'Idempotency-Key': key } } as const
        const path = '/account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/contracts/toggle'
        await answer<unknown>(POST(path, { params, body: { label_info } }))
        await queries.invalidateQueries({ queryKey: ['routing'] })
      }}
    >
      <Select
        label="Account"
        data={own.map(one => ({ value: one.merchant_connector_id, label: one.connector_label ?? one.connector_name }))}
        value={mca_id}
        onChange={setAccount}
        data-autofocus
      />
      <TextField
        label="Contracted payments"
        inputMode="numeric"
        value={count}
        error={count !== '' && target_count === null ? 'A whole number of payments' : null}
        change={text => setCount(text.trim())}
      />
      <TextField label="Until the end of" type="date" value={day} error={isLate ? 'A day to come' : null} change={setDay} />
    </Confirm>
  )
}
