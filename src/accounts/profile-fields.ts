import Type from 'typebox'
import { orNull } from '../base/shapes.ts'
import { type Field, type Fields, keptOnly } from '../resources/field.ts'
import { profileIdentity } from './profile-identity.ts'
import { type ProfileSetting, type ProfileSettingName, profileSettings } from './profile-settings.ts'

type Settings = typeof profileSettings
/** Creation and update of a profile, unless the setting limits them. */
type UsedIn<S> = S extends { on: 'update' } ? readonly ['update'] : S extends { on: string } ? readonly [] : readonly ['create', 'update']
type OfProfile = { [N in ProfileSettingName]: Settings[N] extends { by: readonly ['merchant'] } ? never : N }[ProfileSettingName]
type SettingFields = {
  [N in OfProfile]: Omit<Field<'create' | 'update'>, 'shape' | 'in' | 'shown'> & {
    shape: Settings[N]['is']
    in: UsedIn<Settings[N]>
  } & (Settings[N] extends { shown: 'never' } ? unknown : { shown: Settings[N] extends { shown: 'computed' } ? 'computed' : 'to all' })
}

export const settingField = ({ is, usual, shown, kept, inside, description }: ProfileSetting) =>
  ({
    shape: is,
    kept: 'request',
    ...(shown !== 'never' && { shown: shown === 'computed' ? shown : 'to all' }),
    ...(shown === undefined && usual !== undefined && { unsaid: usual as NonNullable<Field['unsaid']> }),
    seen: orNull(is),
    ...(kept && { does: keptOnly(kept) }),
    ...(inside && { inside }),
    // A schema with its own description takes precedence.
    ...(description && !('description' in is) && { description }),
  }) satisfies Fields[string]

const usedIn = { both: ['create', 'update'], update: ['update'], 'an operation of its own': [] } as const
const isOfProfile = ({ by = ['profile'] }: ProfileSetting): boolean => by.includes('profile')
const { merchant_id, profile_id, profile_name } = profileIdentity

export const profileFields = {
  merchant_id,
  profile_name,
  ...(Object.fromEntries(
    Object.entries<ProfileSetting>(profileSettings)
      .filter(([, setting]) => isOfProfile(setting))
      .map(([name, setting]) => [name, { ...settingField(setting), in: usedIn[setting.on ?? 'both'] }]),
  ) as unknown as SettingFields),
  profile_id,
  acquirer_configs: { from: 'nothing', shown: 'to all', seen: orNull(Type.Array(Type.Unknown())) },
} as const satisfies Record<string, Field<'create' | 'update'>>
