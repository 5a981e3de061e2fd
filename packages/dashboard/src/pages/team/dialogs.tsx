import { useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import { answer, DELETE, POST, type Schemas } from '../../api'
import Confirm from '../../parts/confirm'
import { Choice } from '../../parts/inputs'
import { useReauthentication } from '../../parts/reauthentication'
import { useSession } from '../../session'
import { ForProfiles, Profiles } from './profiles'

type Member = Schemas['TeamMember']
type Role = Member['role']
export type Act = 'role' | 'disable' | 'enable' | 'remove'

type Props = { member: Member; descriptions: Record<Role, string>; close(): void }

const nameOf = ({ name, email }: Member): string => name ?? email

function useChange({ user_id }: Member) {
  const queries = useQueryClient()
  const changed = () => queries.invalidateQueries({ queryKey: ['team'] })
  const params = { path: { user_id } }
  return {
    update: async (body: Schemas['UpdateUserRequest']) => {
      await answer(POST('/user/{user_id}', { params, body }))
      await changed()
    },
    remove: async () => {
      await answer(DELETE('/user/{user_id}', { params }))
      await changed()
    },
  }
}

function ChangeRole({ member, descriptions, close }: Props): ReactElement {
  const { user } = useSession()
  const [role, setRole] = useState(member.role)
  const [profiles, setProfiles] = useState<string[]>([...(member.profile_ids ?? [])])
  const wanted = role === 'owner' ? [] : profiles
  const isSame = role === member.role && `${wanted}` === `${member.profile_ids ?? []}`
  const { update } = useChange(member)
  const { fields, prove } = useReauthentication()
  const roles = (Object.keys(descriptions) as Role[]).filter(one => one !== 'owner' || user?.role === 'owner')
  return (
    <Confirm
      title={`Another role for ${nameOf(member)}?`}
      act={`Make ${role}`}
      acting="Changing…"
      keep="Leave the role"
      close={close}
      consequence={
        isSame ? null : (
          <>
            <p>
              <b className="strong">{nameOf(member)}</b> {descriptions[role]}. It holds at once, on every device.
            </p>
            <ForProfiles chosen={wanted} />
            {wanted.length === 0 && member.profile_ids !== null && <p>In the whole merchant, no longer in some profiles only.</p>}
          </>
        )
      }
      send={() => {
        const limits = wanted.length > 0 ? { profile_ids: wanted } : member.profile_ids !== null && { all_profiles: true }
        return prove(proof => update({ role, ...limits, ...proof }))
      }}
    >
      <Choice label="Role" data={roles} value={role} change={setRole} />
      <Profiles chosen={profiles} choose={setProfiles} isOwner={role === 'owner'} />
      {fields}
    </Confirm>
  )
}

const questions = {
  disable: {
    title: 'Disable',
    act: 'Disable',
    acting: 'Disabling…',
    keep: 'Leave it',
    description: 'sees nothing of this merchant any more, at once, until enabled again.',
  },
  enable: { title: 'Enable', act: 'Enable', acting: 'Enabling…', keep: 'Leave it', description: 'may do again what the role allows.' },
  remove: {
    title: 'Remove',
    act: 'Remove',
    acting: 'Removing…',
    keep: 'Keep',
    description: 'is out at once, and can come back by a new invitation only. Keys that they have made stay.',
  },
} as const

function Ask({ member, act, close }: Props & { act: keyof typeof questions }): ReactElement {
  const { update, remove } = useChange(member)
  const { fields, prove } = useReauthentication()
  const { title, description, ...labels } = questions[act]
  return (
    <Confirm
      title={`${title} ${nameOf(member)}?`}
      {...labels}
      close={close}
      consequence={
        <p>
          <b className="strong">{nameOf(member)}</b> {description}
        </p>
      }
      send={() =>
        act === 'remove' ? remove() : act === 'disable' ? update({ disabled: true }) : prove(proof => update({ disabled: false, ...proof }))
      }
    >
      {act === 'enable' && fields}
    </Confirm>
  )
}

export default function TeamDialogs({ act, ...props }: Props & { act: Act }): ReactElement {
  return act === 'role' ? <ChangeRole {...props} /> : <Ask act={act} {...props} />
}
