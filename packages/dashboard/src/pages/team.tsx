import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactElement, Suspense, useState } from 'react'
import { answer, GET, type Schemas } from '../api'
import { Icon } from '../parts/icons'
import { Id } from '../parts/id'
import { Loaded } from '../parts/loaded'
import { Note } from '../parts/note'
import { PageHead } from '../parts/page-head'
import { Status } from '../parts/status'
import { Table } from '../parts/table'
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

/** Says that an invitation was made, and shows its link if it could not be mailed. */
function Invited({ invitation, close }: { invitation: Schemas['Invitation']; close(): void }): ReactElement {
  const { user, mailed, url, expires_at } = invitation
  return (
    <Note
      family="plain"
      role="status"
      isSpaced
      act={
        <Button variant="default" onClick={close}>
          Close
        </Button>
      }
    >
      <p className="strong">
        {user.email} is invited as {user.role}
        {mailed ? '; the link is on its way by mail.' : '. There is no mail server: hand over this link.'}
      </p>
      {url && <Id id={url} />}
      <p className="muted">
        It works once, until <Exact at={expires_at} />.
      </p>
    </Note>
  )
}

type PeopleProps = { members: readonly Member[] | undefined; ask(member: Member, act: Act): void; again(member: Member): void }

function People({ members, ask, again }: PeopleProps): ReactElement {
  const mayWrite = usePermission()('users:write')
  const { data: profiles } = useProfiles()
  const inProfiles = (ids: readonly string[]) =>
    ` in ${ids.map(id => profiles?.find(one => one.profile_id === id)?.profile_name ?? id).join(', ')}`
  const change = {
    name: '',
    right: true,
    cell: (member: Member) => <MemberActs member={member} ask={act => ask(member, act)} again={() => again(member)} />,
  }
  return (
    <div className="panel">
      <Table
        title="People"
        rows={members}
        keyOf={({ user_id }) => user_id}
        actions="Change"
        columns={[
          {
            name: 'Person',
            cell: ({ name, email }) => (
              <>
                <b className="strong">{name ?? email}</b> {name && <span className="muted">{email}</span>}
              </>
            ),
          },
          {
            name: 'Role',
            hint: ({ role }) => descriptions[role],
            cell: ({ role, profile_ids }) => (
              <>
                {role}
                {profile_ids !== null && <span className="muted">{inProfiles(profile_ids)}</span>}
              </>
            ),
          },
          {
            name: 'State',
            cell: ({ state }) => <Status status={state} family={state === 'active' ? 'done' : state === 'invited' ? 'waits' : 'ended'} />,
          },
          { name: 'Second factor', cell: ({ totp }) => (totp ? 'on' : <span className="faint">off</span>) },
          { name: 'Last signed in', cell: ({ last_signed_in }) => <Ago at={last_signed_in} /> },
          ...(mayWrite ? [change] : []),
        ]}
      />
    </div>
  )
}

export default function Team(): ReactElement {
  const mayWrite = usePermission()('users:write')
  const queries = useQueryClient()
  const [dialog, setDialog] = useState<{ member: Member; act: Act } | null>(null)
  const [inviting, setInviting] = useState<{ member: Member | null } | null>(null)
  const [invitation, setInvitation] = useState<Schemas['Invitation'] | null>(null)
  const asked = useQuery({ queryKey: ['team'], queryFn: () => answer(GET('/user/list')) })
  return (
    <>
      <PageHead
        title="Team"
        acts={
          mayWrite && (
            <Button leftSection={<Icon name="plus" />} onClick={() => setInviting({ member: null })}>
              Invite
            </Button>
          )
        }
      />
      {invitation !== null && <Invited invitation={invitation} close={() => setInvitation(null)} />}
      <div className="stack">
        <Loaded what="The team" asked={asked}>
          {page => (
            <People members={page?.data} ask={(member, act) => setDialog({ member, act })} again={member => setInviting({ member })} />
          )}
        </Loaded>
        <Suspense>
          <Rights />
        </Suspense>
      </div>
      <Suspense>
        {dialog !== null && <TeamDialogs {...dialog} descriptions={descriptions} close={() => setDialog(null)} />}
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
