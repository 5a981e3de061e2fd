import { Button, Select } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, lazy, type ReactElement, Suspense, useState } from 'react'
import { answer, POST } from '../../api'
import { Panel } from '../../parts/details'
import { TextField } from '../../parts/inputs'
import { LoadError } from '../../parts/load-error'
import { StatusMark } from '../../parts/status'
import { SubmitError, useSubmit } from '../../parts/submit'
import { useMerchant } from '../../queries'
import { usePermission } from '../../session'

const Confirm = lazy(() => import('../../parts/confirm'))
const NewContract = lazy(() => import('./contracts'))
const Contracts = lazy(() => import('./contracts').then(({ Contracts }) => ({ default: Contracts })))

type Enable = 'none' | 'metrics' | 'dynamic_connector_selection'

const states: { value: Enable; label: string }[] = [
  { value: 'none', label: 'Off' },
  { value: 'metrics', label: 'Measures only' },
  { value: 'dynamic_connector_selection', label: 'Decides' },
]

const kinds = [
  {
    kind: 'success_based',
    title: 'Success-based',
    description: 'Payments go first to the account with the highest recent success rate for similar payments.',
    decides: 'Accounts are ranked by how often they succeeded lately; some payments try another one first, to learn.',
  },
  {
    kind: 'elimination',
    title: 'Elimination',
    description: 'An account that does not respond is tried last until it responds again.',
    decides: 'An account that stays silent is put last, even where a rule names it first.',
  },
  {
    kind: 'contracts',
    title: 'Contracts',
    description: 'Accounts that were promised a number of payments by a date go first while they are behind.',
    decides: 'Payments go first to accounts that are behind what was promised.',
  },
] as const
type Kind = (typeof kinds)[number]

function Switching({ kind, to, profile_id, close }: { kind: Kind; to: Enable; profile_id: string; close(): void }): ReactElement {
  const merchant_id = useMerchant()
  const queries = useQueryClient()
  const label = states.find(({ value }) => value === to)!.label
  return (
    <Confirm
      title={`${kind.title}: ${label.toLowerCase()}?`}
      act={label === 'Off' ? 'Switch it off' : label === 'Decides' ? 'Let it decide' : 'Measure only'}
      acting="Switching…"
      keep="Leave it as it is"
      close={close}
      consequence={
        <p>
          <b className="strong">
            {to === 'dynamic_connector_selection' ? kind.decides : 'New payments go as rules and the fallback order say.'}
          </b>{' '}
          {to === 'metrics' && 'How accounts do is measured, and decides nothing.'}
        </p>
      }
      send={async key => {
        const params = { path: { merchant_id, profile_id }, query: { enable: to }, header: { 'Idempotency-Key': key } }
        const base = '/account/{merchant_id}/business_profile/{profile_id}/dynamic_routing'
        await answer<unknown>(
          kind.kind === 'success_based'
            ? POST(`${base}/success_based/toggle`, { params })
            : kind.kind === 'elimination'
              ? POST(`${base}/elimination/toggle`, { params })
              : POST(`${base}/contracts/toggle`, { params, body: {} }),
        )
        await queries.invalidateQueries({ queryKey: ['routing'] })
      }}
    />
  )
}

/**
 * Shows a form for the share of payments whose accounts are ranked by success rate. The other payments follow the
 * rules unchanged.
 */
function Share({ split, profile_id }: { split: number; profile_id: string }): ReactElement {
  const merchant_id = useMerchant()
  const may = usePermission()('routing:activate')
  const queries = useQueryClient()
  const [typed, setTyped] = useState(String(split))
  const [isSaved, setSaved] = useState(false)
  const isShare = /^\d{1,3}$/.test(typed) && Number(typed) <= 100
  const sending = useSubmit(async key => {
    const params = { path: { merchant_id, profile_id }, query: { split: Number(typed) }, header: { 'Idempotency-Key': key } }
    await answer(POST('/account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/set_volume_split', { params }))
    await queries.invalidateQueries({ queryKey: ['routing'] })
    setSaved(true)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isShare) void sending.go()
  }
  return (
    <form className="row-wrap end" onSubmit={submit}>
      <TextField
        label="Percent of payments that are ranked"
        hint="The others follow the rules unchanged"
        inputMode="numeric"
        disabled={!may}
        value={typed}
        error={isShare ? null : 'A whole number from 0 to 100'}
        change={text => {
          setTyped(text)
          setSaved(false)
        }}
      />
      <Button type="submit" variant="default" disabled={!may || !isShare || Number(typed) === split || sending.isBusy}>
        {sending.isBusy ? 'Saving…' : 'Save the share'}
      </Button>
      <span role="status">{isSaved && 'Saved.'}</span>
      <SubmitError failure={sending.failure} />
    </form>
  )
}

/** Shows the parts of dynamic routing, and whether each part only measures or decides. */
export default function DynamicRouting({ profile_id }: { profile_id: string }): ReactElement | null {
  const may = usePermission()('routing:activate')
  const [asked, setAsked] = useState<{ kind: Kind; to: Enable } | null>(null)
  const [isPromising, setPromising] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['routing', 'learning', profile_id],
    // Every evaluation reports which parts are on, so the payment that is evaluated here does not matter.
    queryFn: async () =>
      (await answer(POST('/routing/evaluate', { body: { profile_id, amount: 100, currency: 'EUR', payment_method: 'card' } })))
        .dynamic_routing,
  })
  if (error && data === undefined) return <LoadError what="What is learned" error={error} retry={() => void refetch()} />
  if (data === undefined) return null
  const stateOf = ({ kind }: Kind) => (kind === 'contracts' ? data.contract_based : data[kind]) as Enable
  return (
    <Panel title="Learning" hint="Of payments of this merchant alone">
      <ul className="in tight">
        {kinds.map(kind => (
          <li key={kind.kind} className="learns">
            <StatusMark
              family={stateOf(kind) === 'dynamic_connector_selection' ? 'done' : stateOf(kind) === 'metrics' ? 'way' : 'ended'}
              size={16}
            />
            <span className="grow">
              <b className="strong">{kind.title}</b>
              <span className="muted cut-block">{kind.description}</span>
            </span>
            <Select
              aria-label={kind.title}
              data={states}
              value={stateOf(kind)}
              disabled={!may}
              title={may ? undefined : 'Your role does not activate rules.'}
              allowDeselect={false}
              onChange={to => to !== null && to !== stateOf(kind) && setAsked({ kind, to: to as Enable })}
            />
          </li>
        ))}
      </ul>
      <Suspense>
        <Contracts profile_id={profile_id} />
      </Suspense>
      <div className="in row-wrap">
        <Button variant="default" disabled={!may} onClick={() => setPromising(true)}>
          New contract…
        </Button>
      </div>
      <div className="in">
        <Share key={data.split} split={data.split} profile_id={profile_id} />
      </div>
      <Suspense>
        {isPromising && <NewContract profile_id={profile_id} state={data.contract_based as Enable} close={() => setPromising(false)} />}
      </Suspense>
      <Suspense>{asked && <Switching {...asked} profile_id={profile_id} close={() => setAsked(null)} />}</Suspense>
    </Panel>
  )
}
