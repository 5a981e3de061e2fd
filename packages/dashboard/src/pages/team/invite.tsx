import { type ReactElement, useState } from 'react'
import { answer, POST, type Schemas } from '../../api'
import Confirm from '../../parts/confirm'
import { Choice, TextField } from '../../parts/inputs'
import { useReauthentication } from '../../parts/reauthentication'
import { useSession } from '../../session'
import { ForProfiles, Profiles } from './profiles'

type Member = Schemas['TeamMember']
type Role = Member['role']

type Props = { descriptions: Record<Role, string>; invited(one: Schemas['Invitation']): void; close(): void }

function Invite({ descriptions, invited, close }: Props): ReactElement {
  const { user } = useSession()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const [profiles, setProfiles] = useState<string[]>([])
  const { fields, prove } = useReauthentication()
  const roles = (Object.keys(descriptions) as Role[]).filter(one => one !== 'owner' || user?.role === 'owner')
  return (
    <Confirm
      title="Invite a colleague?"
      act={`Invite as ${role}`}
      acting="Inviting…"
      keep="Not now"
      close={close}
      consequence={
        /^[^@\s]+@[^@\s]+$/.test(email) ? (
          <>
            <p>
              <b className="strong">{email}</b> {descriptions[role]}, of {user?.merchant_id}.
            </p>
            <ForProfiles chosen={role === 'owner' ? [] : profiles} />
          </>
        ) : null
      }
      send={async () => {
        const ask = { email, role, ...(role !== 'owner' && profiles.length > 0 && { profile_ids: profiles }) }
        invited(await prove(proof => answer(POST('/user/invite', { body: { ...ask, ...proof } }))))
      }}
    >
      <TextField label="E-mail" type="email" value={email} change={text => setEmail(text.trim())} data-autofocus />
      <Choice label="Role" data={roles} value={role} change={setRole} />
      <Profiles chosen={profiles} choose={setProfiles} isOwner={role === 'owner'} />
      {fields}
    </Confirm>
  )
}

function InviteAgain({ member, descriptions, invited, close }: Props & { member: Member }): ReactElement {
  const { email, role, profile_ids } = member
  const { fields, prove } = useReauthentication()
  return (
    <Confirm
      title={`Invite ${email} again?`}
      act={`Invite as ${role}`}
      acting="Inviting…"
      keep="Not now"
      close={close}
      consequence={
        <p>
          <b className="strong">{email}</b> {descriptions[role]}. The earlier link ends.
        </p>
      }
      send={async () => {
        const ask = { email, role, ...(profile_ids !== null && { profile_ids }) }
        invited(await prove(proof => answer(POST('/user/invite', { body: { ...ask, ...proof } }))))
      }}
    >
      {fields}
    </Confirm>
  )
}

/** Shows the dialog that invites a person, or an invited member again. */
export default function TeamInvite({ member, ...props }: Props & { member: Member | null }): ReactElement {
  return member === null ? <Invite {...props} /> : <InviteAgain member={member} {...props} />
}
