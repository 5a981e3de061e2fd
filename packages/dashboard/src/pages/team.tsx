import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactElement, Suspense, useEffect, useState } from 'react'
import { answer, GET, type Schemas } from '../api'
import { Icon } from '../parts/icons'
import { Id } from '../parts/id'
import { LoadError } from '../parts/load-error'
import { StatusMark } from '../parts/status'
import { Ago, Exact } from '../parts/time'
import { useProfiles } from '../queries'
import { usePermission, useSession } from '../session'
import type { Act } from './team/dialogs'

const TeamDialogs = lazy(() => import('./team/dialogs'))
const TeamInvite = lazy(() => import('./team/invite'))
const Rights = lazy(() => import('./team/rights'))

type Member = Schemas['TeamMember']
type Role = Member['role']

const descriptions: Record<Role, string> = {
  owner: 'may do everything, and make other owners',
  admin: 'may do everything but change owners',
  developer: 'sees everything, works on keys, webhooks and rules; moves money in test mode only',
  operator: 'moves money, answers disputes; changes no settings',
  viewer: 'sees payments and figures, and changes nothing',
}

/** Shows buttons for the actions on a member of the team. Only owners can change owners, as the service requires. */
function MemberActs({ member, ask, again }: { member: Member; ask(act: Act): void; again(): void }): ReactElement {
  const { user } = useSession()
  const name = member.name ?? member.email
  const why = member.role === 'owner' && user?.role !== 'owner' ? 'Only an owner can change an owner' : undefined
  const acts: readonly (readonly [string, () => void])[] = [
    ...(member.state === 'invited' ? ([['Send again…', again]] as const) : ([['Role…', () => ask('role')]] as const)),
    member.state === 'disabled' ? ['Enable…', () => ask('enable')] : ['Disable…', () => ask('disable')],
    ['Remove…', () => ask('remove')],
  ]
  return (
    <span className="acts" title={why}>
      {acts.map(([label, act]) => (
        <Button key={label} size="compact-sm" variant="default" disabled={why !== undefined} onClick={act} aria-label={`${label} ${name}`}>
          {label}
        </Button>
      ))}
    </span>
  )
}

export default function Team(): ReactElement {
  const mayWrite = usePermission()('users:write')
  const queries = useQueryClient()
  const [asked, setAsked] = useState<{ member: Member; act: Act } | null>(null)
  const [inviting, setInviting] = useState<{ member: Member | null } | null>(null)
  const [invitation, setInvitation] = useState<Schemas['Invitation'] | null>(null)
  const { data, error, refetch } = useQuery({ queryKey: ['team'], queryFn: () => answer(GET('/user/list')) })
  const profiles = useProfiles()
  const inProfiles = (ids: readonly string[]) =>
    `in ${ids.map(id => profiles.data?.find(one => one.profile_id === id)?.profile_name ?? id).join(', ')}`
  useEffect(() => {
    document.title = 'Team · Switchyard'
  }, [])
  return (
    <>
      <div className="head">
        <h1>Team</h1>
        {mayWrite && (
          <div className="acts">
            <Button leftSection={<Icon name="plus" />} onClick={() => setInviting({ member: null })}>
              Invite
            </Button>
          </div>
        )}
      </div>
      {invitation !== null && (
        <div className="note plain spaced" role="status">
          <div className="grow">
            <p className="strong">
              {invitation.user.email} is invited as {invitation.user.role}
              {invitation.mailed ? '; the link is on its way by mail.' : '. There is no mail server: hand over this link.'}
            </p>
            {invitation.url && <Id id={invitation.url} />}
            <p className="muted">
              It works once, until <Exact at={invitation.expires_at} />.
            </p>
          </div>
          <Button variant="default" onClick={() => setInvitation(null)}>
            Close
          </Button>
        </div>
      )}
      <div className="stack">
        {error && data === undefined ? (
          <LoadError what="The team" error={error} retry={() => void refetch()} />
        ) : (
          <div className="panel">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is scrolled by keyboard too */}
            <section className="tw" tabIndex={0} aria-label="People">
              <table aria-label="People">
                <thead>
                  <tr>
                    {['Person', 'Role', 'State', 'Second factor', 'Last signed in', ...(mayWrite ? [''] : [])].map(name => (
                      <th key={name} scope="col">
                        {name || <span className="unseen">Change</span>}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {data?.data.map(member => (
                    <tr key={member.user_id}>
                      <td>
                        <b className="strong">{member.name ?? member.email}</b>{' '}
                        {member.name && <span className="muted">{member.email}</span>}
                      </td>
                      <td title={descriptions[member.role]}>
                        {member.role}
                        {member.profile_ids !== null && <span className="muted"> {inProfiles(member.profile_ids)}</span>}
                      </td>
                      <td>
                        <span className="status">
                          <StatusMark family={member.state === 'active' ? 'done' : member.state === 'invited' ? 'waits' : 'ended'} />
                          {member.state}
                        </span>
                      </td>
                      <td>{member.totp ? 'on' : <span className="faint">off</span>}</td>
                      <td>
                        <Ago at={member.last_signed_in} />
                      </td>
                      {mayWrite && (
                        <td className="n">
                          <MemberActs member={member} ask={act => setAsked({ member, act })} again={() => setInviting({ member })} />
                        </td>
                      )}
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          </div>
        )}
        <Suspense>
          <Rights />
        </Suspense>
      </div>
      <Suspense>
        {asked !== null && <TeamDialogs {...asked} descriptions={descriptions} close={() => setAsked(null)} />}
        {inviting !== null && (
          <TeamInvite
            {...inviting}
            descriptions={descriptions}
            close={() => setInviting(null)}
            invited={one => {
              setInvitation(one)
              void queries.invalidateQueries({ queryKey: ['team'] })
            }}
          />
        )}
      </Suspense>
    </>
  )
}
