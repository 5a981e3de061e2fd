import { Button } from '@mantine/core'
import { type ReactElement, useState } from 'react'
import { Panel } from '../../parts/details'
import { SubmitError, useSubmit } from '../../parts/submit'
import { type Account, useAccountChanged, useCatalogue, useMerchant } from '../../queries'
import { usePermission } from '../../session'
import { type Enabled, enabledOf, Methods } from '../connectors/methods'
import { saveAccount } from './save-account'

/** Shows a form for the payment methods that the account accepts, with their limits. */
export function MethodsTab({ account }: { account: Account }): ReactElement | null {
  const merchant_id = useMerchant()
  const mayWrite = usePermission()('connectors:write')
  const changed = useAccountChanged()
  const { data: catalogue } = useCatalogue()
  const saved = enabledOf(account.payment_methods_enabled)
  const [draft, setDraft] = useState<{ enabled: Enabled[] | null } | null>(null)
  const [isSaved, setSaved] = useState(false)
  const saving = useSubmit(async key => {
    // The interface cannot set the account back to all methods, so all methods are sent by name, which has the same
    // effect.
    const all = entry?.payment_methods.map(({ payment_method }) => ({ payment_method }))
    await saveAccount(merchant_id, account, { payment_methods_enabled: draft?.enabled ?? all }, key)
    await changed()
    setDraft(null)
    setSaved(true)
  })
  const { connector_name } = account
  const entry = catalogue?.find(({ name, also_called }) => name === connector_name || also_called.includes(connector_name))
  if (entry === undefined) return null
  if (account.connector_type !== 'payment_processor')
    return (
      <p className="blank">An account that pays out is not limited by payment methods: it pays to {entry.payout_methods.join(', ')}.</p>
    )
  return (
    <Panel title="Payment methods" hint="What is not chosen is not sent there, whatever rules say">
      <fieldset className="in stack" disabled={!mayWrite}>
        <Methods
          entry={entry}
          enabled={draft ? draft.enabled : saved}
          change={enabled => {
            setDraft({ enabled })
            setSaved(false)
          }}
        />
        <SubmitError failure={saving.failure} />
      </fieldset>
      <div className="save-bar">
        <span className="grow" role="status">
          {draft ? 'Not saved yet.' : isSaved ? 'Saved. It holds for the next payment.' : ''}
        </span>
        <Button variant="default" disabled={draft === null || saving.isBusy} onClick={() => setDraft(null)}>
          Discard
        </Button>
        <Button
          disabled={draft === null || saving.isBusy || !mayWrite}
          title={mayWrite ? undefined : 'Your role does not change connector accounts.'}
          onClick={() => void saving.go()}
        >
          {saving.isBusy ? 'Saving…' : 'Save'}
        </Button>
      </div>
    </Panel>
  )
}
