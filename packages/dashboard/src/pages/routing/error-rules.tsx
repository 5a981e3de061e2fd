import { Button, Select, Switch, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import { answer, GET, POST, type Schemas } from '../../api'
import { plural } from '../../format'
import { Panel } from '../../parts/details'
import { type Chosen, Filters } from '../../parts/filters'
import { LoadError } from '../../parts/load-error'
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
      <Select
        label="Decision"
        data={[
          { value: 'retry', label: 'Try another account' },
          { value: 'do_default', label: 'Do not try again' },
        ]}
        value={decision}
        onChange={value => setDecision((value ?? decision) as Rule['decision'])}
        allowDeselect={false}
      />
      <Switch label="Can be tried again with 3-D Secure" checked={steps} onChange={event => setSteps(event.currentTarget.checked)} />
      <TextInput label="Unified code" value={code} maxLength={255} onChange={event => setCode(event.currentTarget.value)} />
      <TextInput label="Unified message" value={message} maxLength={1024} onChange={event => setMessage(event.currentTarget.value)} />
    </Confirm>
  )
}

function Table({ rules, edit }: { rules: readonly Rule[]; edit: ((rule: Rule) => void) | null }): ReactElement {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too
    <section className="tw" tabIndex={0} aria-label="Rules by connector and code">
      <table aria-label="Error rules">
        <thead>
          <tr>
            {['Connector', 'Flow', 'Code', 'Message', 'Decision', 'Unified', ''].map(name => (
              <th key={name} scope="col">
                {name || <span className="unseen">Edit</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rules.map(rule => (
            <tr key={JSON.stringify(keyOf(rule))}>
              <td className="strong">{rule.connector}</td>
              <td>{rule.sub_flow}</td>
              <td>
                <span className="code">{rule.code}</span>
              </td>
              <td title={rule.message}>{rule.message}</td>
              <td>
                {rule.decision} {rule.step_up_possible && <span className="tag">3-D Secure</span>}
              </td>
              <td title={rule.unified_message ?? undefined}>{rule.unified_code ?? <span className="faint">–</span>}</td>
              <td className="n">
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
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
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
        <Table rules={found.slice(0, LIMIT)} edit={isOperator ? setEdited : null} />
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
