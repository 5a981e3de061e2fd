import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { answer, GET, type Schemas } from '../api'
import { LoadError } from './load-error'
import { Code } from './scrollable'
import { exactly, timeOfDay } from './time'

type Exchange = Schemas['Exchange']

const headersOf = (headers: Readonly<Record<string, unknown>> | null): string =>
  Object.entries(headers ?? {})
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n')

const bodyOf = (body: unknown): string =>
  body === null || body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body, null, 2)

/** Says what the processor answered, or why there is no answer. */
function Outcome({ exchange }: { exchange: Exchange }): ReactElement {
  const { is, why, status, timing } = exchange
  const took = `${timing.total_ms.toLocaleString('en')} ms`
  if (is === 'reply')
    return (
      <>
        They answered <b className={status !== null && status >= 400 ? 'c-no' : 'c-done'}>{status}</b> after {took}
      </>
    )
  return is === 'silence' ? (
    <>
      They answered <b className="c-unknown">nothing</b>, for {took}
    </>
  ) : (
    <>
      <b className="c-no">Nothing reached them</b>
      {why && `: ${why}`}
    </>
  )
}

function Pair({ exchange }: { exchange: Exchange }): ReactElement {
  const { at, method, url, headers, body, answer_headers, answer_body, why, is } = exchange
  const sent = [`${method} ${url}`, headersOf(headers), bodyOf(body)]
  const received = is === 'reply' ? [headersOf(answer_headers), bodyOf(answer_body)] : [why ?? '']
  const text = (parts: readonly string[]) => parts.filter((part, n) => n === 0 || part !== '').join('\n\n')
  return (
    <div className="exchange">
      <div>
        <p title={exactly(at)}>
          We sent <span className="num">{timeOfDay(at)}</span>
        </p>
        <Code>{text(sent).replace('\n\n', '\n')}</Code>
      </div>
      <div>
        <p>
          <Outcome exchange={exchange} />
        </p>
        <Code>{text(received).trim() || ' '}</Code>
      </div>
    </div>
  )
}

type Props = { of: 'payments' | 'payouts'; object_id: string; request_id: string }

const ask = {
  payments: (payment_id: string, request_id: string) =>
    answer(GET('/payments/{payment_id}/operations/{request_id}/exchanges', { params: { path: { payment_id, request_id } } })),
  payouts: (payout_id: string, request_id: string) =>
    answer(GET('/payouts/{payout_id}/operations/{request_id}/exchanges', { params: { path: { payout_id, request_id } } })),
}

/**
 * Shows the requests and answers between the service and the processor for one operation, as far as they are stored.
 */
export default function Exchanges({ of, object_id, request_id }: Props): ReactElement {
  const { data, error, refetch } = useQuery({
    queryKey: [of, object_id, 'exchanges', request_id],
    queryFn: () => ask[of](object_id, request_id),
  })
  if (error && data === undefined) return <LoadError what="The exchange" error={error} retry={() => void refetch()} />
  return (
    <section className="exchanges" aria-label={`Exchange with the processor, request id ${request_id}`}>
      {data?.data.map(exchange => (
        <Pair key={exchange.exchange_id} exchange={exchange} />
      ))}
      {data && (
        <p className="faint">
          Request id <span className="mono">{request_id}</span>. Secrets and card data are never kept.
        </p>
      )}
    </section>
  )
}
