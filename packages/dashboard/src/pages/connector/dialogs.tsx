import { useNavigate } from '@tanstack/react-router'
import { type ReactElement, useState } from 'react'
import { answer, DELETE, POST } from '../../api'
import Confirm from '../../parts/confirm'
import { TextField } from '../../parts/inputs'
import { type Account, useAccountChanged, useMerchant } from '../../queries'

/** `enable` also disables. */
export type AccountDialog = 'enable' | 'delete'
type Props = { account: Account; close(): void }

function Enable({ account, close }: Props): ReactElement {
  const merchant_id = useMerchant()
  const changed = useAccountChanged()
  const { merchant_connector_id, disabled, status } = account
  const name = account.connector_label ?? merchant_connector_id
  return (
    <Confirm
      title={disabled ? `Enable ${name}?` : `Disable ${name}?`}
      act={disabled ? 'Enable the account' : 'Disable the account'}
      acting={disabled ? 'Enabling…' : 'Disabling…'}
      keep="Leave it as it is"
      close={close}
      consequence={
        disabled ? (
          <p>
            <b className="strong">New payments can go to {name} again,</b> as rules and the fallback order say.
          </p>
        ) : (
          <p>
            <b className="strong">No new payment goes to {name}.</b> What was begun there goes on: captures, refunds, disputes and webhooks.
          </p>
        )
      }
      send={async key => {
        const params = { path: { merchant_id, merchant_connector_id }, header: { 'Idempotency-Key': key } }
        const body = {
          connector_type: account.connector_type as 'payment_processor',
          disabled: !disabled,
          ...(disabled && status === 'inactive' && { status: 'active' as const }),
        }
        await answer(POST('/account/{merchant_id}/connectors/{merchant_connector_id}', { params, body }))
        await changed()
      }}
    />
  )
}

function Delete({ account, close }: Props): ReactElement {
  const merchant_id = useMerchant()
  const changed = useAccountChanged()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const { merchant_connector_id } = account
  const name = account.connector_label ?? merchant_connector_id
  return (
    <Confirm
      title={`Delete ${name}?`}
      act="Delete the account"
      acting="Deleting…"
      keep="Keep the account"
      close={close}
      consequence={
        typed === name ? (
          <p>
            <b className="strong">{name} is gone for new payments, and this cannot be undone.</b> Payments that were made there can still be
            captured and refunded. It is refused while an operation is unfinished there.
          </p>
        ) : null
      }
      send={async () => {
        await answer(
          DELETE('/account/{merchant_id}/connectors/{merchant_connector_id}', { params: { path: { merchant_id, merchant_connector_id } } }),
        )
        await navigate({ to: '/connectors' })
        await changed()
      }}
    >
      <TextField label={`Type ${name} to delete it`} value={typed} autoComplete="off" change={setTyped} data-autofocus />
    </Confirm>
  )
}

export default function AccountDialogs({ asked, ...props }: Props & { asked: AccountDialog }): ReactElement {
  return asked === 'enable' ? <Enable {...props} /> : <Delete {...props} />
}
