import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { answer, GET, POST, type Schemas } from '../../api'
import { Panel } from '../../parts/details'
import { Id } from '../../parts/id'
import { LoadError } from '../../parts/load-error'
import { Code } from '../../parts/scrollable'
import { StatusMark } from '../../parts/status'
import { SubmitError, useSubmit } from '../../parts/submit'
import { Exact } from '../../parts/time'
import { useMerchant } from '../../queries'
import { usePermission } from '../../session'

export type Try = Schemas['EventDelivery']

const headersOf = (pairs: readonly (readonly string[])[] | null): string =>
  (pairs ?? []).map(([name, value]) => `${name}: ${value}`).join('\n')

const printed = (body: string | null): string => {
  try {
    return JSON.stringify(JSON.parse(body ?? ''), null, 2)
  } catch {
    return body ?? ''
  }
}

/** Shows one attempt of a delivery: the request and the response. */
export function DeliveryAttempt({ of }: { of: Try }): ReactElement {
  const { response, request, latency_ms, is_delivery_successful } = of
  const after = `after ${latency_ms.toLocaleString('en')} ms`
  const isAnswered = response.status_code !== null
  return (
    <div className="exchange">
      <div>
        <p className="muted">
          We sent <Exact at={of.created} />
        </p>
        <Code>{`${headersOf(request.headers)}\n\n${printed(request.body)}`}</Code>
      </div>
      <div>
        <p className={is_delivery_successful ? 'c-done' : 'c-no'}>
          {isAnswered ? `They answered ${response.status_code} ${after}` : `No answer ${after}: ${response.error_message}`}
        </p>
        {isAnswered && <Code>{`${headersOf(response.headers)}\n\n${printed(response.body)}`}</Code>}
      </div>
    </div>
  )
}

/** Lists all attempts to deliver one event to one endpoint, the latest first. */
export function DeliveryAttempts({ event_id, endpoint_id }: { event_id: string; endpoint_id: string }): ReactElement {
  const merchant_id = useMerchant()
  const may = usePermission()('webhooks:replay')
  const queries = useQueryClient()
  const path = { merchant_id, event_id }
  const { data, error, refetch } = useQuery({
    queryKey: ['webhooks', endpoint_id, 'tries', event_id],
    queryFn: () => answer(GET('/events/{merchant_id}/{event_id}/attempts', { params: { path } })),
  })
  const sending = useSubmit(async key => {
    await answer(POST('/events/{merchant_id}/{event_id}/retry', { params: { path, header: { 'Idempotency-Key': key } } }))
    await queries.invalidateQueries({ queryKey: ['webhooks', endpoint_id] })
  })
  const tries = (data as Try[] | undefined)?.filter(one => one.endpoint_id === endpoint_id).toReversed()
  return (
    <Panel
      title="Tries"
      hint={<Id id={event_id} />}
      acts={
        <Button
          variant="default"
          size="xs"
          disabled={!may || sending.isBusy}
          title={may ? undefined : 'Your role does not send webhooks again.'}
          onClick={() => void sending.go()}
        >
          {sending.isBusy ? 'Sending…' : 'Send again now'}
        </Button>
      }
    >
      <div className="in stack">
        <SubmitError failure={sending.failure} />
        {error && tries === undefined && <LoadError what="Tries" error={error} retry={() => void refetch()} />}
        {tries?.length === 0 && <p className="muted">It was not tried yet: it waits for an earlier event of the same object.</p>}
        {tries?.map((one, at) => (
          <details key={one.event_id} open={at === 0}>
            <summary>
              <span className="status">
                <StatusMark family={one.is_delivery_successful ? 'done' : 'no'} />
                Try {tries.length - at}, {one.delivery_attempt}
              </span>
            </summary>
            <DeliveryAttempt of={one} />
          </details>
        ))}
      </div>
    </Panel>
  )
}
