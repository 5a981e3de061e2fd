import { Button } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import { Icon } from '../parts/icons'
import { Loaded } from '../parts/loaded'
import { PageHead } from '../parts/page-head'
import { type Profile, useProfiles } from '../queries'
import { useIsMerchantWide, usePermission, useSession } from '../session'
import { ProfileForm } from './profiles/profile-form'

const NewProfile = lazy(() => import('./profiles/dialogs').then(({ NewProfile }) => ({ default: NewProfile })))
const DeleteProfile = lazy(() => import('./profiles/dialogs').then(({ DeleteProfile }) => ({ default: DeleteProfile })))

/** Says why the user cannot make a profile; undefined if the user can. */
function useWhyNot(): string | undefined {
  const { user } = useSession()
  const isWhole = useIsMerchantWide()
  if (!usePermission()('profiles:write')) return `Your role, ${user?.role}, does not change profiles. Owners and admins do.`
  return isWhole ? undefined : 'Your role holds for some profiles only, and makes no other.'
}

function Chips({ profiles, chosen }: { profiles: readonly Profile[]; chosen: Profile | undefined }): ReactElement {
  return (
    <nav className="filters" aria-label="Business profiles">
      {profiles.map(one => (
        <span key={one.profile_id} className={one === chosen ? 'chip on' : 'chip'}>
          <Link
            className="chip-link"
            to="/settings/profiles/$profile_id"
            params={{ profile_id: one.profile_id }}
            aria-current={one === chosen ? 'page' : undefined}
          >
            {one.profile_name}
          </Link>
        </span>
      ))}
    </nav>
  )
}

export default function Profiles(): ReactElement {
  const { profile_id } = useParams({ strict: false })
  const whyNot = useWhyNot()
  const [dialog, setDialog] = useState<'new' | 'delete' | null>(null)
  const asked = useProfiles()
  const profiles = asked.data ?? []
  const profile = profile_id === undefined ? profiles[0] : profiles.find(one => one.profile_id === profile_id)
  return (
    <>
      <PageHead
        title={profile?.profile_name ?? 'Profiles'}
        acts={
          <>
            {whyNot === undefined && profile !== undefined && profiles.length > 1 && (
              <Button variant="default" onClick={() => setDialog('delete')}>
                Delete…
              </Button>
            )}
            <Button leftSection={<Icon name="plus" />} disabled={whyNot !== undefined} title={whyNot} onClick={() => setDialog('new')}>
              New profile
            </Button>
          </>
        }
      />
      {profiles.length > 1 && <Chips profiles={profiles} chosen={profile} />}
      <Loaded what="Profiles" asked={asked}>
        {known =>
          profile ? (
            <ProfileForm key={profile.profile_id} profile={profile} />
          ) : (
            known && <p className="blank">No such business profile here. It may be of another merchant.</p>
          )
        }
      </Loaded>
      <Suspense>
        {dialog === 'new' && <NewProfile close={() => setDialog(null)} />}
        {dialog === 'delete' && profile && <DeleteProfile profile={profile} close={() => setDialog(null)} />}
      </Suspense>
    </>
  )
}
