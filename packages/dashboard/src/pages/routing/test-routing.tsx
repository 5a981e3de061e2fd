import { Button, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, type ReactElement, useState } from 'react'
import { countries } from '../../../../../src/base/countries.ts'
import { answer, POST, type Schemas } from '../../api'
import type { Chosen } from '../../list-address'
import { Panel } from '../../parts/details'
import { ObjectLink } from '../../parts/id'
import { Choice, TextField } from '../../parts/inputs'
import { LoadError } from '../../parts/load-error'
import { amountFrom, forField, Money } from '../../parts/money'
import { PageHead } from '../../parts/page-head'
import { type Candidate, type CandidateResult, RoutingDecision } from '../../parts/routing-decision'
import { useChoices } from '../../queries'

type Evaluation = Schemas['RoutingEvaluation']

/** The parameters that describe a payment for the evaluation: members of the interface, and of this page's address. */
const described = ['amount', 'currency', 'payment_method', 'card_network', 'billing_country', 'capture_method', 'card_bin'] as const
const captures = ['automatic', 'manual', 'manual_multiple', 'scheduled', 'sequential_automatic']

/** Returns the evaluation request for an address of this page, or null if the address describes no payment. */
function askOf(chosen: Chosen): Record<string, unknown> | null {
  if (chosen.payment_id) return { payment_id: chosen.payment_id, ...(chosen.at && { at: chosen.at }) }
  const entries = described.flatMap(name => (chosen[name] ? [[name, name === 'amount' ? Number(chosen[name]) : chosen[name]]] : []))
  return entries.length === 0 ? null : Object.fromEntries(entries)
}

type FieldsProps = { chosen: Chosen; ask(search: Chosen): void }

function Described({ chosen, ask }: FieldsProps): ReactElement {
  const { data } = useChoices()
  const [input, setInput] = useState<Chosen>({ payment_method: 'card', ...chosen, currency: chosen.currency ?? 'EUR' })
  const currency = input.currency ?? 'EUR'
  const [typed, type] = useState(chosen.amount ? forField(Number(chosen.amount), currency) : '100')
  const amount = amountFrom(typed, currency)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const { payment_id: _payment, at: _at, ...rest } = input
    if (amount !== null) ask({ ...rest, amount: String(amount) })
  }
  const pick = (name: (typeof described)[number], label: string, values: readonly string[] | undefined, isNeeded = false) => (
    <Select
      label={label}
      data={[...(values ?? [])]}
      value={input[name] ?? null}
      onChange={value => setInput({ ...input, [name]: value ?? '' })}
      placeholder="any"
      clearable={!isNeeded}
      allowDeselect={!isNeeded}
      searchable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
    />
  )
  return (
    <form className="asks" onSubmit={submit} aria-label="A payment that is described">
      <TextField
        label={`Amount in ${currency}`}
        value={typed}
        change={type}
        error={amount === null ? `Not an amount in ${currency}` : null}
        inputMode="decimal"
        autoComplete="off"
      />
      {pick('currency', 'Currency', data?.currency, true)}
      {pick('payment_method', 'Method', data?.payment_method as string[] | undefined)}
      {pick('card_network', 'Network', data?.card_network)}
      {pick('billing_country', 'Country of the payer', countries)}
      {pick('capture_method', 'Capture', captures)}
      <TextField
        label="First six digits"
        value={input.card_bin ?? ''}
        change={text => setInput({ ...input, card_bin: text.trim() })}
        inputMode="numeric"
        autoComplete="off"
      />
      <Button type="submit" disabled={amount === null}>
        Ask
      </Button>
    </form>
  )
}

const times = [
  { value: 'now', label: 'as it would be now' },
  { value: 'attempt', label: 'as it was at its last attempt' },
]

function OfPayment({ chosen, ask }: FieldsProps): ReactElement {
  const [payment_id, name] = useState(chosen.payment_id ?? '')
  const [at, when] = useState(chosen.at ?? 'now')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    ask({ payment_id, at })
  }
  return (
    <form className="asks" onSubmit={submit} aria-label="A payment that is there">
      <TextField label="Payment" placeholder="pay_…" value={payment_id} change={text => name(text.trim())} autoComplete="off" />
      <Choice label="When" data={times} value={at} change={when} />
      <Button type="submit" variant="default" disabled={payment_id === ''}>
        Ask about it
      </Button>
    </form>
  )
}

const wouldBe = (_candidate: Candidate, at: number): CandidateResult => ({
  family: at === 0 ? 'way' : null,
  isTaken: at === 0,
  text: at === 0 ? <b className="strong">asked first</b> : <span className="faint">next, if needed</span>,
})

function Answer({ found, chosen }: { found: Evaluation; chosen: Chosen }): ReactElement {
  const wasThen = chosen.payment_id && chosen.at === 'attempt'
  const of = chosen.payment_id ? (
    <ObjectLink id={chosen.payment_id} whole />
  ) : chosen.amount && chosen.currency ? (
    <Money amount={Number(chosen.amount)} currency={chosen.currency} />
  ) : undefined
  return (
    <Panel title={wasThen ? 'Routing then' : 'Routing now'} hint={of}>
      {found.connectors.length === 0 && <p className="in strong">No account of this profile can take it: it would fail.</p>}
      <RoutingDecision routing={found} when="now" column="Would be" resultOf={wouldBe} />
      <p className="in faint">Nothing was changed, and no processor was asked.</p>
    </Panel>
  )
}

/**
 * Shows which account a payment would be sent to, and why. The payment is described in the form, or exists already.
 */
export default function TestRouting(): ReactElement {
  const chosen = useSearch({ strict: false }) as Chosen
  const navigate = useNavigate()
  const asked = askOf(chosen)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['routing', 'evaluate', asked],
    queryFn: () => answer(POST('/routing/evaluate', { body: asked } as never)) as Promise<Evaluation>,
    enabled: asked !== null,
  })
  // An unchanged question is sent again, because the rules and the health of accounts may have changed.
  const ask = (search: Chosen) =>
    void (JSON.stringify(askOf(search)) === JSON.stringify(asked) ? refetch() : navigate({ to: '/routing/try', search }))
  const fields = { chosen, ask }
  const isOld = isFetching && data !== undefined
  return (
    <>
      <PageHead title="Test routing" />
      <div className="stack">
        <Panel title="Payment">
          <div className="in">
            <Described {...fields} />
            <OfPayment {...fields} />
          </div>
        </Panel>
        {asked === null ? (
          <p className="muted">Describe a payment or enter its id to see how a payment made now would be routed.</p>
        ) : error ? (
          <LoadError what={chosen.payment_id ? 'payment' : 'decision'} error={error} retry={() => void refetch()} />
        ) : (
          data && (
            <div className={isOld ? 'older' : undefined} aria-busy={isOld}>
              <Answer found={data} chosen={chosen} />
            </div>
          )
        )}
      </div>
    </>
  )
}
