import { Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useRef } from 'react'
import { answer, GET, POST, type Schemas } from '../../api'
import { AccountName } from '../../parts/cells'
import { Panel } from '../../parts/details'
import { SubmitError, useSubmit } from '../../parts/submit'
import { Ago, Due } from '../../parts/time'
import { usePermission } from '../../session'

type Fetch = Schemas['SettlementFetch']

/** Says when reports of an account were fetched, and what went wrong. */
function Says({ of: { fetch, next_at, fetched_at, problem } }: { of: Fetch }): ReactElement | null {
  if (fetch === 'off') return null
  return (
    <span className="small muted">
      {problem !== null ? (
        <b className="c-person">{problem}. It is tried again.</b>
      ) : fetched_at !== null ? (
        <>
          asked <Ago at={fetched_at} />
        </>
      ) : (
        'being asked'
      )}
      {next_at !== null && (
        <>
          , next <Due at={next_at} />
        </>
      )}
    </span>
  )
}

/** Shows the accounts whose processors give their reports by themselves, with a switch each. */
export function Fetched({ merchant_connector_id }: { merchant_connector_id: string | undefined }): ReactElement | null {
  const queries = useQueryClient()
  const mayWrite = usePermission()('ledger:write')
  const wanted = useRef<Pick<Fetch, 'merchant_connector_id' | 'fetch'>>(null)
  const { data } = useQuery({ queryKey: ['reconciliation', 'fetches'], queryFn: () => answer(GET('/reconciliation/fetches')) })
  const changing = useSubmit(async key => {
    await answer(POST('/reconciliation/fetches', { params: { header: { 'Idempotency-Key': key } }, body: wanted.current! }))
    await queries.invalidateQueries({ queryKey: ['reconciliation'] })
  })
  const able = data?.data.filter(
    one => one.available && (merchant_connector_id === undefined || one.merchant_connector_id === merchant_connector_id),
  )
  if (!able || able.length === 0) return null
  return (
    <Panel title="Reports fetched each day">
      <ul className="owes">
        {able.map(one => (
          <li key={one.merchant_connector_id}>
            <Switch
              label={<AccountName of={one} />}
              checked={one.fetch === 'daily'}
              disabled={!mayWrite || changing.isBusy}
              onChange={event => {
                wanted.current = { merchant_connector_id: one.merchant_connector_id, fetch: event.currentTarget.checked ? 'daily' : 'off' }
                void changing.go()
              }}
            />
            <Says of={one} />
          </li>
        ))}
      </ul>
      {changing.failure && (
        <div className="in">
          <SubmitError failure={changing.failure} />
        </div>
      )}
    </Panel>
  )
}
