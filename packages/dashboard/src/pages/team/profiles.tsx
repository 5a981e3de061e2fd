import type { ReactElement } from 'react'
import { MultiSelect } from '../../parts/multi-select'
import { useProfiles } from '../../queries'

type Props = { chosen: readonly string[]; choose(ids: string[]): void; isOwner: boolean }

/**
 * Shows a field for the profiles that a role holds for; none means the whole merchant. The field is hidden if the
 * merchant has only one profile.
 */
export function Profiles({ chosen, choose, isOwner }: Props): ReactElement | null {
  const { data } = useProfiles()
  if (data === undefined || (data.length < 2 && chosen.length === 0)) return null
  return (
    <MultiSelect
      label="Profiles"
      description={isOwner ? 'The role of an owner holds for all of them' : 'None chosen: the role holds for the whole merchant'}
      disabled={isOwner}
      data={data.map(({ profile_id, profile_name }) => ({ value: profile_id, label: profile_name }))}
      value={isOwner ? [] : [...chosen]}
      onChange={choose}
      clearable
    />
  )
}

export function ForProfiles({ chosen }: { chosen: readonly string[] }): ReactElement | null {
  const { data } = useProfiles()
  if (chosen.length === 0) return null
  const names = chosen.map(id => data?.find(one => one.profile_id === id)?.profile_name ?? id)
  return (
    <p>
      Only in {names.join(', ')}: nothing of other profiles, and no customers, keys, people or blocklist, which are the whole merchant’s.
    </p>
  )
}
