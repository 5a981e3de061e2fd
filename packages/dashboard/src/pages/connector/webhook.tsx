import { Button } from '@mantine/core'
import { type FormEvent, type ReactElement, useState } from 'react'
import { answer, POST, type Schemas } from '../../api'
import { Panel } from '../../parts/details'
import { Field, type FormField, fieldErrors } from '../../parts/form'
import { Id } from '../../parts/id'
import { StatusMark } from '../../parts/status'
import { SubmitError, useSubmit } from '../../parts/submit'
import { Ago } from '../../parts/time'
import { type Account, useAccountChanged, useCatalogue, useDeployment, useMerchant } from '../../queries'
import { usePermission } from '../../session'
import { SECRET } from '../connectors/fields'
import { saveAccount } from './save-account'

const noRole = 'Your role does not change connector accounts.'

/** Shows a form for the secret that the processor signs webhooks with. The secret is written, and never read back. */
function Secret({ account }: { account: Account }): ReactElement {
  const merchant_id = useMerchant()
  const mayWrite = usePermission()('connectors:write')
  const changed = useAccountChanged()
  const [typed, setTyped] = useState('')
  const [isSaved, setSaved] = useState(false)
  const masked = (account.connector_webhook_details as { merchant_secret?: string } | null)?.merchant_secret
  const saving = useSubmit(async key => {
    await saveAccount(merchant_id, account, { connector_webhook_details: { merchant_secret: typed } }, key)
    await changed()
    setTyped('')
    setSaved(true)
  })
  const field: FormField = {
    name: SECRET,
    label: masked ? 'Another secret' : 'Secret',
    kind: 'secret',
    hint: masked ? `Now ${masked}. What is typed replaces it at once.` : 'Without it every webhook of the processor is refused.',
  }
  const errors = fieldErrors(saving.failure, [SECRET])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed !== '') void saving.go()
  }
  return (
    <form className="stack settings" onSubmit={submit}>
      <Field
        field={field}
        value={typed}
        error={errors[SECRET]}
        disabled={!mayWrite}
        change={value => {
          setTyped(String(value))
          setSaved(false)
        }}
      />
      <SubmitError failure={saving.failure} isAtField={SECRET in errors} />
      <div className="row-wrap">
        <Button variant="default" type="submit" disabled={typed === '' || saving.isBusy || !mayWrite} title={mayWrite ? undefined : noRole}>
          {saving.isBusy ? 'Saving…' : masked ? 'Replace the secret' : 'Save the secret'}
        </Button>
        <span role="status">{isSaved && 'Saved.'}</span>
      </div>
    </form>
  )
}

function Registering({ account }: { account: Account }): ReactElement {
  const merchant_id = useMerchant()
  const mayWrite = usePermission()('connectors:write')
  const [registered, setRegistered] = useState<Schemas['RegisteredWebhook'] | null>(null)
  const { merchant_connector_id, connector_name } = account
  const registering = useSubmit(async key => {
    const params = { path: { merchant_id, merchant_connector_id }, header: { 'Idempotency-Key': key } }
    setRegistered(
      await answer(POST('/account/{merchant_id}/webhooks/{merchant_connector_id}', { params, body: { event_type: 'all_events' } })),
    )
  })
  const isDone = registered?.webhook_registration_status === 'Success'
  return (
    <>
      <div className="row-wrap">
        <Button disabled={registering.isBusy || !mayWrite} title={mayWrite ? undefined : noRole} onClick={() => void registering.go()}>
          {registering.isBusy ? 'Registering…' : `Register at ${connector_name}`}
        </Button>
        <span className="muted">Tells {connector_name} this address, with all events. Doing it again does no harm.</span>
      </div>
      {registered && (
        <div className={`note ${isDone ? 'done' : 'no'}`} role="status">
          <StatusMark family={isDone ? 'done' : 'no'} size={16} />
          <p className="grow">
            {isDone
              ? `${connector_name} sends its webhooks here now.`
              : `${connector_name} did not register it: ${registered.error_message}`}{' '}
            {registered.error_code && <span className="code">{registered.error_code}</span>}
          </p>
        </div>
      )}
      <SubmitError failure={registering.failure} />
    </>
  )
}

export function WebhookTab({ account, lastAt }: { account: Account; lastAt: string | null }): ReactElement | null {
  const merchant_id = useMerchant()
  const { data: deployment } = useDeployment()
  const { data: catalogue } = useCatalogue()
  const { connector_name, merchant_connector_id } = account
  const entry = catalogue?.find(({ name, also_called }) => name === connector_name || also_called.includes(connector_name))
  if (entry === undefined || deployment === undefined) return null
  if (entry.webhook === null) return <p className="blank">{connector_name} sends no webhooks: it is asked for its answers.</p>
  return (
    <Panel
      title="Webhook"
      hint={
        lastAt === null ? (
          'None has come yet'
        ) : (
          <>
            The last one came <Ago at={lastAt} />
          </>
        )
      }
    >
      <div className="in stack">
        <div>
          <p className="strong">Address, to enter at {connector_name}</p>
          <span className="copyable">
            <Id id={`${deployment.public_url}/webhooks/${merchant_id}/${merchant_connector_id}`} />
          </span>
        </div>
        {entry.webhook.registers_itself ? (
          <Registering account={account} />
        ) : (
          <p className="muted">{connector_name} takes the address from a person only: enter it in its own dashboard.</p>
        )}
        <Secret account={account} />
      </div>
    </Panel>
  )
}
