import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactElement, useState } from 'react'
import { answer, DELETE, POST } from '../../api'
import Confirm from '../../parts/confirm'
import { TextField } from '../../parts/inputs'
import { type Profile, useMerchant } from '../../queries'

export function NewProfile({ close }: { close(): void }): ReactElement {
  const merchant_id = useMerchant()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  return (
    <Confirm
      title="A new business profile?"
      act="Create the profile"
      acting="Creating…"
      keep="Not now"
      close={close}
      consequence={
        name.trim() === '' ? null : (
          <p>
            <b className="strong">Requests must say profile_id from then on,</b> unless the merchant account has a default profile.{' '}
            {name.trim()} has its own connector accounts, rules and webhooks; it begins without any.
          </p>
        )
      }
      send={async key => {
        const params = { path: { merchant_id }, header: { 'Idempotency-Key': key } }
        const { profile_id } = await answer(
          POST('/account/{merchant_id}/business_profile', { params, body: { profile_name: name.trim() } }),
        )
        await queries.invalidateQueries({ queryKey: ['profiles'] })
        await navigate({ to: '/settings/profiles/$profile_id', params: { profile_id } })
      }}
    >
      <TextField label="Name" value={name} maxLength={64} change={setName} data-autofocus />
    </Confirm>
  )
}

export function DeleteProfile({ profile, close }: { profile: Profile; close(): void }): ReactElement {
  const merchant_id = useMerchant()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [typed, setTyped] = useState('')
  const { profile_id, profile_name } = profile
  return (
    <Confirm
      title={`Delete ${profile_name}?`}
      act="Delete the profile"
      acting="Deleting…"
      keep="Keep the profile"
      close={close}
      consequence={
        typed === profile_name ? (
          <p>
            <b className="strong">{profile_name} and its connector accounts are gone for new payments, and this cannot be undone.</b>{' '}
            Payments that were made in it can still be captured and refunded. It is refused while an operation is unfinished at a processor.
          </p>
        ) : null
      }
      send={async () => {
        const params = { path: { merchant_id, profile_id } }
        await answer(DELETE('/account/{merchant_id}/business_profile/{profile_id}', { params }))
        await navigate({ to: '/settings/profiles' })
        await Promise.all([['profiles'], ['connectors'], ['routing']].map(queryKey => queries.invalidateQueries({ queryKey })))
      }}
    >
      <TextField label={`Type ${profile_name} to delete it`} value={typed} autoComplete="off" change={setTyped} data-autofocus />
    </Confirm>
  )
}
