import { Button, Switch } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, type ReactElement, useState } from 'react'
import { answer, POST, type Schemas } from '../../api'
import { Field, type FormField, type FormValues, fieldErrors } from '../../parts/form'
import { Icon } from '../../parts/icons'
import { Choice } from '../../parts/inputs'
import { SubmitError, useSubmit } from '../../parts/submit'
import { type CatalogueEntry, useAccountChanged, useDeployment, useMerchant, useProfiles } from '../../queries'
import { CredentialsCheck } from './credentials-check'
import { CREDENTIALS, credentialFields, filledValues, metadataFields, SECRET, typesOf } from './fields'
import { type Enabled, Methods } from './methods'

export type Verified = Schemas['VerifiedCredentials']

const label: FormField = { name: 'connector_label', label: 'Label', hint: 'What you call the account; unique in its profile', kind: 'text' }
const secret: FormField = {
  name: SECRET,
  label: 'Webhook secret',
  hint: 'What the processor signs its webhooks with; without it they are refused',
  kind: 'secret',
}

/** Shows the fields that are the same for all connectors: the business profile of the account, and its type. */
function Place({ entry, place, choose }: { entry: CatalogueEntry; place: PlaceOf; choose(place: PlaceOf): void }): ReactElement {
  const { data: profiles } = useProfiles()
  const { data: deployment } = useDeployment()
  const types = typesOf(entry)
  return (
    <>
      {types.length > 1 && (
        <Choice
          label="What it is for"
          data={types}
          value={place.connector_type}
          change={value => choose({ ...place, connector_type: value })}
        />
      )}
      {(profiles?.length ?? 0) > 1 && (
        <Choice
          label="Business profile"
          data={profiles!.map(({ profile_id, profile_name }) => ({ value: profile_id, label: profile_name }))}
          value={place.profile_id ?? profiles![0]!.profile_id}
          change={value => choose({ ...place, profile_id: value })}
        />
      )}
      <p className="muted">
        {deployment?.mode === 'live' ? 'Live' : 'Test'} mode, as the whole deployment
        {entry.testing && '; the sandbox takes any text as its key, and no money moves'}.
      </p>
    </>
  )
}

type PlaceOf = { connector_type: 'payment_processor' | 'payout_processor'; profile_id: string | undefined }

function useNewAccount(entry: CatalogueEntry) {
  const merchant_id = useMerchant()
  const navigate = useNavigate()
  const changed = useAccountChanged()
  const { data: profiles } = useProfiles()
  const [values, setValues] = useState<FormValues>({})
  const [place, choose] = useState<PlaceOf>({ connector_type: typesOf(entry)[0]?.value ?? 'payment_processor', profile_id: undefined })
  const [enabled, setEnabled] = useState<Enabled[] | null>(null)
  const [isOn, setOn] = useState(false)
  const [verified, setVerified] = useState<Verified | null>(null)
  const credentials = credentialFields(entry)
  const metadata = metadataFields(entry, place.connector_type)
  const signIn = () => ({
    connector_name: entry.name as Schemas['CreateConnectorAccountRequest']['connector_name'],
    connector_type: place.connector_type,
    [CREDENTIALS]: { auth_type: entry.credentials.auth_type, ...filledValues(credentials, values) },
    metadata: filledValues(metadata, values),
  })
  const verify = async () => {
    setVerified(null)
    if (!entry.verifies_credentials) return null
    const verdict = await answer(POST('/account/connectors/verify', { body: signIn() }))
    setVerified(verdict)
    return verdict
  }
  const checking = useSubmit(async () => void (await verify()))
  const adding = useSubmit(async key => {
    const verdict = verified?.verified ? verified : await verify()
    // Credentials that the processor refuses are not stored. If the processor cannot verify them, the user decides.
    if (verdict?.verified === false || (verdict?.verified === null && verified === null)) return
    const connector_label = String(values[label.name] ?? '').trim()
    const profile_id = place.profile_id ?? profiles?.[0]?.profile_id
    const body = {
      ...signIn(),
      ...(connector_label !== '' && { connector_label }),
      ...(profile_id && { profile_id }),
      ...(values[SECRET] && { connector_webhook_details: { merchant_secret: String(values[SECRET]) } }),
      ...(enabled && { payment_methods_enabled: enabled }),
      disabled: !isOn,
    } as Schemas['CreateConnectorAccountRequest']
    const params = { path: { merchant_id }, header: { 'Idempotency-Key': key } }
    const { merchant_connector_id } = await answer(POST('/account/{merchant_id}/connectors', { params, body }))
    await changed()
    await navigate({ to: '/connectors/$merchant_connector_id', params: { merchant_connector_id }, search: { tab: 'webhook' } })
  })
  const change = (name: string, value: FormValues[string]) => {
    setValues({ ...values, [name]: value })
    setVerified(null)
  }
  const state = { values, change, place, choose, enabled, setEnabled, isOn, setOn }
  return { ...state, credentials, metadata, verified, checking, adding }
}

type Footing = { entry: CatalogueEntry; isWhole: boolean; of: Pick<ReturnType<typeof useNewAccount>, 'checking' | 'adding' | 'verified'> }

function Footer({ entry, isWhole, of: { checking, adding, verified } }: Footing): ReactElement {
  const isBusy = adding.isBusy || checking.isBusy
  return (
    <footer className="foot-bar">
      <span className="grow">{!entry.verifies_credentials && `${entry.name} cannot be asked whether credentials are good.`}</span>
      {entry.verifies_credentials && (
        <Button variant="default" disabled={!isWhole || isBusy} onClick={() => void checking.go()}>
          {checking.isBusy ? 'Checking…' : 'Check credentials'}
        </Button>
      )}
      <Button type="submit" disabled={!isWhole || isBusy || verified?.verified === false}>
        {adding.isBusy ? 'Adding…' : verified?.verified === null ? 'Add it unchecked' : 'Add account'}
      </Button>
    </footer>
  )
}

/**
 * Shows a form for a new connector account, made from the catalogue. The processor verifies the credentials before the
 * account is created.
 */
export default function NewAccount({ entry, window }: { entry: CatalogueEntry; window: string }): ReactElement {
  const form = useNewAccount(entry)
  const { values, change, credentials, metadata, verified, adding, checking } = form
  const failure = adding.failure ?? checking.failure
  const names = [label, ...credentials, ...metadata, secret].map(({ name }) => name)
  const errors = fieldErrors(failure, names)
  const isWhole = credentials.every(({ name }) => values[name])
  const more = metadata.filter(({ required }) => !required)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isWhole && !adding.isBusy && !checking.isBusy && verified?.verified !== false) void adding.go()
  }
  const field = (one: FormField) => (
    <Field key={one.name} field={one} value={values[one.name]} error={errors[one.name]} change={value => change(one.name, value)} />
  )
  return (
    <form className="panel adding" aria-label={`Add an account at ${entry.name}`} onSubmit={submit}>
      <header>
        <h2 className="t">Add an account at {entry.name}</h2>
        <div className="acts">
          <Link to="/connectors" search={{ window }} resetScroll={false} className="link" aria-label="Close the form">
            <Icon name="close" />
          </Link>
        </div>
      </header>
      <div className="in stack">
        {field(label)}
        {credentials.map(field)}
        {metadata.filter(({ required }) => required).map(field)}
        {entry.webhook && field(secret)}
        <Place entry={entry} place={form.place} choose={form.choose} />
        {more.length > 0 && (
          <details open={more.some(({ name }) => name in errors) || undefined}>
            <summary>More settings</summary>
            <div className="stack">{more.map(field)}</div>
          </details>
        )}
        {form.place.connector_type === 'payment_processor' && <Methods entry={entry} enabled={form.enabled} change={form.setEnabled} />}
        <CredentialsCheck of={verified} name={entry.name} />
        <SubmitError failure={failure} isAtField={Object.keys(errors).length > 0} />
        <Switch
          label="Take payments at once"
          description={form.isOn ? 'New payments can go there as soon as it is added.' : 'Off until you switch it on.'}
          checked={form.isOn}
          onChange={event => form.setOn(event.currentTarget.checked)}
        />
      </div>
      <Footer entry={entry} isWhole={isWhole} of={form} />
    </form>
  )
}
