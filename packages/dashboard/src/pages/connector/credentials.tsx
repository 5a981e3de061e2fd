import { Button } from '@mantine/core'
import { type FormEvent, type ReactElement, useState } from 'react'
import { answer, POST } from '../../api'
import { Panel } from '../../parts/details'
import { Field, type FormField, type FormValues, fieldErrors, shownIn } from '../../parts/form'
import { SubmitError, useSubmit } from '../../parts/submit'
import { type Account, type CatalogueEntry, useAccountChanged, useCatalogue, useMerchant } from '../../queries'
import { usePermission } from '../../session'
import { CredentialsCheck } from '../connectors/credentials-check'
import { CREDENTIALS, credentialFields, filledValues, metadataFields } from '../connectors/fields'
import type { Verified } from '../connectors/new-account'
import { saveAccount } from './save-account'

type Props = { account: Account; entry: CatalogueEntry }

const noRole = 'Your role does not change connector accounts.'

/** Asks the processor to verify the stored credentials, or the credentials in `more`. */
const verify = (account: Account, more: Record<string, unknown> = {}) =>
  answer(POST('/account/connectors/verify', { body: { merchant_connector_id: account.merchant_connector_id, ...more } }))

/** Shows a form for new credentials. They are verified before they replace the stored credentials. */
function Replace({ account, entry, close }: Props & { close(isReplaced: boolean): void }): ReactElement {
  const merchant_id = useMerchant()
  const changed = useAccountChanged()
  const [values, setValues] = useState<FormValues>({})
  const [verified, setVerified] = useState<Verified | null>(null)
  const fields = credentialFields(entry)
  const details = () => ({ [CREDENTIALS]: { auth_type: entry.credentials.auth_type, ...filledValues(fields, values) } })
  const saving = useSubmit(async key => {
    if (entry.verifies_credentials && verified === null) {
      const verdict = await verify(account, details())
      setVerified(verdict)
      if (!verdict.verified) return
    }
    await saveAccount(merchant_id, account, details(), key)
    await changed()
    close(true)
  })
  const errors = fieldErrors(
    saving.failure,
    fields.map(({ name }) => name),
  )
  const isWhole = fields.every(({ name }) => values[name])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isWhole) void saving.go()
  }
  return (
    <form className="in stack settings" onSubmit={submit} aria-label="New credentials">
      <p className="muted">All of them are typed anew: what is stored is never read back. They are checked with {entry.name} first.</p>
      {fields.map(field => (
        <Field
          key={field.name}
          field={field}
          value={values[field.name]}
          error={errors[field.name]}
          change={value => {
            setValues({ ...values, [field.name]: value })
            setVerified(null)
          }}
        />
      ))}
      <CredentialsCheck of={verified} name={entry.name} />
      <SubmitError failure={saving.failure} isAtField={Object.keys(errors).length > 0} />
      <div className="row-wrap">
        <Button type="submit" disabled={!isWhole || saving.isBusy || verified?.verified === false}>
          {saving.isBusy ? 'Replacing…' : verified?.verified === null ? 'Replace them unchecked' : 'Replace credentials'}
        </Button>
        <Button variant="default" onClick={() => close(false)}>
          Keep those that there are
        </Button>
      </div>
    </form>
  )
}

function Settings({ account, entry }: Props): ReactElement {
  const merchant_id = useMerchant()
  const mayWrite = usePermission()('connectors:write')
  const changed = useAccountChanged()
  const label: FormField = { name: 'connector_label', label: 'Label', hint: 'Unique in its business profile', kind: 'text' }
  const metadata = metadataFields(entry, account.connector_type)
  const fields = [label, ...metadata]
  const metadataNow = account.metadata as Record<string, unknown> | null
  const now = (field: FormField) =>
    shownIn(field, field === label ? account.connector_label : metadataNow?.[field.name.slice('metadata.'.length)])
  const [values, setValues] = useState<FormValues>({})
  const [isSaved, setSaved] = useState(false)
  const isChanged = fields.some(field => values[field.name] !== undefined && values[field.name] !== now(field))
  const saving = useSubmit(async key => {
    const name = values[label.name]
    const merged = { ...metadataNow, ...filledValues(metadata, values) }
    const emptied = metadata.filter(field => values[field.name] === '').map(field => field.name.slice('metadata.'.length))
    for (const one of emptied) delete merged[one]
    const hasMetadata = metadata.some(field => values[field.name] !== undefined)
    await saveAccount(merchant_id, account, { ...(name && { connector_label: name }), ...(hasMetadata && { metadata: merged }) }, key)
    await changed()
    setValues({})
    setSaved(true)
  })
  const errors = fieldErrors(
    saving.failure,
    fields.map(({ name }) => name),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isChanged) void saving.go()
  }
  return (
    <Panel title="Settings">
      <form className="in stack settings" onSubmit={submit}>
        {fields.map(field => (
          <Field
            key={field.name}
            field={field}
            value={values[field.name] ?? now(field)}
            error={errors[field.name]}
            disabled={!mayWrite}
            change={value => {
              setValues({ ...values, [field.name]: value })
              setSaved(false)
            }}
          />
        ))}
        <SubmitError failure={saving.failure} isAtField={Object.keys(errors).length > 0} />
        <div className="row-wrap">
          <Button type="submit" disabled={!isChanged || !mayWrite || saving.isBusy} title={mayWrite ? undefined : noRole}>
            {saving.isBusy ? 'Saving…' : 'Save'}
          </Button>
          <span role="status">{isSaved && 'Saved.'}</span>
        </div>
      </form>
    </Panel>
  )
}

/** Shows the credentials masked. They can be verified and replaced, but never read. */
export function CredentialsTab({ account }: { account: Account }): ReactElement | null {
  const mayWrite = usePermission()('connectors:write')
  const { data: catalogue } = useCatalogue()
  const [isReplacing, setReplacing] = useState(false)
  const [verified, setVerified] = useState<Verified | null>(null)
  const [isReplaced, setReplaced] = useState(false)
  const checking = useSubmit(async () => setVerified(await verify(account)))
  const { connector_name } = account
  const entry = catalogue?.find(({ name, also_called }) => name === connector_name || also_called.includes(connector_name))
  if (entry === undefined) return null
  const { auth_type, ...masked } = account.connector_account_details as Record<string, unknown>
  const labels = new Map(entry.credentials.fields.map(({ name, label }) => [name, label]))
  return (
    <div className="stack">
      <Panel
        title="Credentials"
        hint={`${auth_type}, masked`}
        acts={
          <>
            {entry.verifies_credentials && (
              <Button
                variant="default"
                size="xs"
                disabled={!mayWrite || checking.isBusy}
                title={mayWrite ? undefined : noRole}
                onClick={() => void checking.go()}
              >
                {checking.isBusy ? 'Checking…' : 'Check credentials'}
              </Button>
            )}
            <Button
              variant="default"
              size="xs"
              disabled={!mayWrite || isReplacing}
              title={mayWrite ? undefined : noRole}
              onClick={() => setReplacing(true)}
            >
              Replace…
            </Button>
          </>
        }
      >
        {isReplacing ? (
          <Replace
            account={account}
            entry={entry}
            close={done => {
              setReplacing(false)
              setReplaced(done)
              setVerified(null)
            }}
          />
        ) : (
          <div className="in stack">
            <dl className="kv">
              {Object.entries(masked).map(([name, value]) => (
                <div key={name}>
                  <dt>{labels.get(name) ?? name}</dt>
                  <dd className="mono">{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
                </div>
              ))}
            </dl>
            {isReplaced && (
              <p className="note plain" role="status">
                Replaced. The next request goes with the new credentials.
              </p>
            )}
            <CredentialsCheck of={verified} name={entry.name} />
            <SubmitError failure={checking.failure} />
          </div>
        )}
      </Panel>
      <Settings account={account} entry={entry} />
    </div>
  )
}
