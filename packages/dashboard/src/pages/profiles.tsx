import { type Profile, useMerchant, useProfiles } from '../queries'
import './settings.css'
import { Button, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useEffect, useState } from 'react'
import { answer, DELETE, POST } from '../api'
import { Icon } from '../parts/icons'
import { LoadError } from '../parts/load-error'
import { useIsMerchantWide, usePermission, useSession } from '../session'
import { ProfileForm } from './profiles/profile-form'

const Confirm = lazy(() => import('../parts/confirm'))

function NewProfile({ close }: { close(): void }): ReactElement {
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
      <TextInput label="Name" value={name} maxLength={64} onChange={event => setName(event.currentTarget.value)} data-autofocus />
    </Confirm>
  )
}

function DeleteProfile({ profile, close }: { profile: Profile; close(): void }): ReactElement {
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
      <TextInput
        label={`Type ${profile_name} to delete it`}
        value={typed}
        autoComplete="off"
        onChange={event => setTyped(event.currentTarget.value)}
        data-autofocus
      />
    </Confirm>
  )
}

export default function Profiles(): ReactElement {
  const { profile_id } = useParams({ strict: false })
  const { user } = useSession()
  const mayWrite = usePermission()('profiles:write')
  const isWhole = useIsMerchantWide()
  const [isAdding, setAdding] = useState(false)
  const [isDeleting, setDeleting] = useState(false)
  const { data: profiles, error, refetch } = useProfiles()
  const profile = profile_id === undefined ? profiles?.[0] : profiles?.find(one => one.profile_id === profile_id)
  useEffect(() => {
    document.title = `${profile?.profile_name ?? 'Profiles'} · Switchyard`
  }, [profile])
  return (
    <>
      <div className="head">
        <h1>{profile?.profile_name ?? 'Profiles'}</h1>
        <div className="acts">
          {mayWrite && isWhole && profile !== undefined && (profiles?.length ?? 0) > 1 && (
            <Button variant="default" onClick={() => setDeleting(true)}>
              Delete…
            </Button>
          )}
          <Button
            leftSection={<Icon name="plus" />}
            disabled={!mayWrite || !isWhole}
            title={
              mayWrite
                ? isWhole
                  ? undefined
                  : 'Your role holds for some profiles only, and makes no other.'
                : `Your role, ${user?.role}, does not change profiles. Owners and admins do.`
            }
            onClick={() => setAdding(true)}
          >
            New profile
          </Button>
        </div>
      </div>
      {profiles !== undefined && profiles.length > 1 && (
        <nav className="filters" aria-label="Business profiles">
          {profiles.map(one => (
            <span key={one.profile_id} className={one === profile ? 'chip on' : 'chip'}>
              <Link
                className="chip-link"
                to="/settings/profiles/$profile_id"
                params={{ profile_id: one.profile_id }}
                aria-current={one === profile ? 'page' : undefined}
              >
                {one.profile_name}
              </Link>
            </span>
          ))}
        </nav>
      )}
      {error && profiles === undefined ? (
        <LoadError what="Profiles" error={error} retry={() => void refetch()} />
      ) : profiles !== undefined && profile === undefined ? (
        <p className="blank">No such business profile here. It may be of another merchant.</p>
      ) : (
        profile && <ProfileForm key={profile.profile_id} profile={profile} />
      )}
      <Suspense>{isDeleting && profile && <DeleteProfile profile={profile} close={() => setDeleting(false)} />}</Suspense>
      <Suspense>{isAdding && <NewProfile close={() => setAdding(false)} />}</Suspense>
    </>
  )
}
