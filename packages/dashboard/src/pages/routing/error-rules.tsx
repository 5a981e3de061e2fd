import { Button, Switch } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import { answer, GET, POST, type Schemas } from '../../api'
import { plural } from '../../format'
import type { Chosen } from '../../list-address'
import { none } from '../../parts/cells'
import { Panel } from '../../parts/details'
import { Filters } from '../../parts/filters'
import { Choice, TextField } from '../../parts/inputs'
import { LoadError } from '../../parts/load-error'
import { Table } from '../../parts/table'
import { usePermission } from '../../session'

const Confirm = lazy(() => import('../../parts/confirm'))

type Rule = Schemas['GsmRule']
const LIMIT = 100
const keyOf = ({ connector, flow, sub_flow, code, message }: Rule) => ({ connector, flow, sub_flow, code, message })

/** Shows a dialog that changes the rule for an error. The rule applies to all merchants of the deployment. */
function Edit({ rule, close }: { rule: Rule; close(): void }): ReactElement {
  const queries = useQueryClient()
  const [decision, setDecision] = useState(rule.decision)
  const [steps, setSteps] = useState(rule.step_up_possible)
  const [code, setCode] = useState(rule.unified_code ?? '')
  const [message, setMessage] = useState(rule.unified_message ?? '')
  return (
    <Confirm
      title={`${rule.connector}: ${rule.code}`}
      act="Change the rule"
      acting="Changing…"
      keep="Keep the rule as it is"
      close={close}
      consequence={
        <p>
          <b className="strong">It holds for all merchants of this deployment, at once.</b> An authorization with this error{' '}
          {decision === 'retry' ? 'is tried at another account, if the profile retries' : 'is not tried again'}
          {steps && ', or again with 3-D Secure'}.
        </p>
      }
      send={async key => {
        const body = {
          ...keyOf(rule),
          decision,
          step_up_possible: steps,
          ...(rule.router_error !== null && { router_error: rule.router_error }),
          ...(code !== '' && { unified_code: code }),
          ...(message !== '' && { unified_message: message }),
        } as Schemas['UpdateGsmRuleRequest']
        await answer(POST('/gsm/update', { params: { header: { 'Idempotency-Key': key } }, body }))
        await queries.invalidateQueries({ queryKey: ['gsm'] })
      }}
    >
      <Choice
        label="Decision"
        data={[
          { value: 'retry', label: 'Try another account' },
          { value: 'do_default', label: 'Do not try again' },
        ]}
        value={decision}
        change={value => setDecision(value)}
      />
      <Switch label="Can be tried again with 3-D Secure" checked={steps} onChange={event => setSteps(event.currentTarget.checked)} />
      <TextField label="Unified code" value={code} maxLength={255} change={setCode} />
      <TextField label="Unified message" value={message} maxLength={1024} change={setMessage} />
    </Confirm>
  )
}

function RuleTable({ rules, edit }: { rules: readonly Rule[]; edit: ((rule: Rule) => void) | null }): ReactElement {
  return (
    <Table
      title="Error rules"
      label="Rules by connector and code"
      rows={rules}
      keyOf={rule => JSON.stringify(keyOf(rule))}
      actions="Edit"
      columns={[
        { name: 'Connector', look: 'strong', cell: ({ connector }) => connector },
        { name: 'Flow', cell: ({ sub_flow }) => sub_flow },
        { name: 'Code', cell: ({ code }) => <span className="code">{code}</span> },
        { name: 'Message', hint: ({ message }) => message, cell: ({ message }) => message },
        {
          name: 'Decision',
          cell: ({ decision, step_up_possible }) => (
            <>
              {decision} {step_up_possible && <span className="tag">3-D Secure</span>}
            </>
          ),
        },
        { name: 'Unified', hint: ({ unified_message }) => unified_message, cell: ({ unified_code }) => unified_code ?? none },
        {
          name: '',
          right: true,
          cell: rule => (
            <Button
              variant="default"
              size="xs"
              disabled={edit === null}
              title={edit === null ? 'The rules are of the deployment: its operator changes them.' : undefined}
              aria-label={`Edit ${rule.connector} ${rule.code}`}
              onClick={() => edit?.(rule)}
            >
              Edit…
            </Button>
          ),
        },
      ]}
    />
  )
}

/**
 * Shows the rules for errors of processors. They apply to the whole deployment, so only its operator can change them.
 */
export default function ErrorRules(): ReactElement {
  const search = useSearch({ strict: false }) as Chosen
  const navigate = useNavigate()
  const isOperator = usePermission()('deployment')
  const [edited, setEdited] = useState<Rule | null>(null)
  const { connector, code = '' } = search
  const { data, error, refetch } = useQuery({ queryKey: ['gsm'], queryFn: () => answer(GET('/gsm/list')) })
  if (error && data === undefined) return <LoadError what="Error rules" error={error} retry={() => void refetch()} />
  const all = (data?.data ?? []) as Rule[]
  const found = all.filter(
    rule =>
      (!connector || rule.connector === connector) &&
      `${rule.code} ${rule.message} ${rule.unified_code}`.toLowerCase().includes(code.toLowerCase()),
  )
  const names = [...new Set(all.map(rule => rule.connector))]
  return (
    <Panel title="Error rules" hint="Of the deployment: what is tried again after an error">
      <div className="in tight">
        <Filters
          filters={[
            { name: 'connector', label: 'Connector', kind: 'one of', choices: names.map(value => ({ value, label: value })) },
            { name: 'code', label: 'Code or message', kind: 'text', hint: 'insufficient_funds' },
          ]}
          chosen={search}
          choose={(name, value) => void navigate({ to: '/routing', search: { ...search, [name]: value } })}
        />
      </div>
      {data && found.length === 0 ? (
        <p className="blank">{all.length === 0 ? 'No error rules: errors bear the connector’s own message only.' : 'Nothing matches.'}</p>
      ) : (
        <RuleTable rules={found.slice(0, LIMIT)} edit={isOperator ? setEdited : null} />
      )}
      <p className="foot-bar">
        {found.length > LIMIT
          ? `The first ${LIMIT} of ${plural(found.length, 'rule')}: filter to see the others.`
          : plural(found.length, 'rule')}
      </p>
      <Suspense>{edited && <Edit rule={edited} close={() => setEdited(null)} />}</Suspense>
    </Panel>
  )
}
