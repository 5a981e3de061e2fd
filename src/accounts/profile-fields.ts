import Type, { type Static } from 'typebox'
import { orNull } from '../base/shapes.ts'
import type { Context } from '../context.ts'
import { type Field, type Fields, keptOnly } from '../resources/field.ts'
import { shapeOf } from '../resources/read.ts'
import { profileIdentity } from './profile-identity.ts'
import { type ProfileSetting, type ProfileSettingName, profileSettings } from './profile-settings.ts'

type Settings = typeof profileSettings
/** Creation and update of a profile, unless the setting limits them. */
type UsedIn<S> = S extends { acceptedIn: 'update' }
  ? readonly ['update']
  : S extends { acceptedIn: string }
    ? readonly []
    : readonly ['create', 'update']
type OfProfile = { [N in ProfileSettingName]: Settings[N] extends { levels: readonly ['merchant'] } ? never : N }[ProfileSettingName]
type SettingFields = {
  [N in OfProfile]: Omit<Field<'create' | 'update'>, 'shape' | 'acceptedIn' | 'visibility'> & {
    shape: Settings[N]['shape']
    acceptedIn: UsedIn<Settings[N]>
  } & (Settings[N] extends { visibility: 'never' }
      ? unknown
      : { visibility: Settings[N] extends { visibility: 'computed' } ? 'computed' : 'to all' })
}

export const settingField = ({ shape, default: value, visibility, storedOnly, storedOnlyMembers, description }: ProfileSetting) =>
  ({
    shape,
    storedIn: 'request',
    ...(visibility !== 'never' && { visibility: visibility === 'computed' ? visibility : 'to all' }),
    ...(visibility === undefined && value !== undefined && { default: value as NonNullable<Field['default']> }),
    responseShape: orNull(shape),
    ...(storedOnly && { effect: keptOnly(storedOnly) }),
    ...(storedOnlyMembers && { storedOnlyMembers }),
    // A schema with its own description takes precedence.
    ...(description && !('description' in shape) && { description }),
  }) satisfies Fields[string]

const usedIn = { both: ['create', 'update'], update: ['update'], 'an operation of its own': [] } as const
const isOfProfile = ({ levels = ['profile'] }: ProfileSetting): boolean => levels.includes('profile')
const { merchant_id, profile_id, profile_name } = profileIdentity

export const profileFields = {
  merchant_id,
  profile_name,
  ...(Object.fromEntries(
    Object.entries<ProfileSetting>(profileSettings)
      .filter(([, setting]) => isOfProfile(setting))
      .map(([name, setting]) => [name, { ...settingField(setting), acceptedIn: usedIn[setting.acceptedIn ?? 'both'] }]),
  ) as unknown as SettingFields),
  profile_id,
  acquirer_configs: { from: 'nothing', visibility: 'to all', responseShape: orNull(Type.Array(Type.Unknown())) },
} as const satisfies Record<string, Field<'create' | 'update'>>

const settings = Object.entries(profileSettings) as [ProfileSettingName, ProfileSetting][]

export const profileShape = shapeOf(profileFields, 'create')
export type ProfileAsk = Static<typeof profileShape>

export const profileUpdateShape = shapeOf(profileFields, 'update')
export type ProfileUpdate = Static<typeof profileUpdateShape>

export const inheritedSettings: readonly string[] = settings.flatMap(([name, { inherited }]) => (inherited ? [name] : []))

export const settingsOfAdmin = settings.flatMap(([name, { settableBy }]) => (settableBy === 'admin' ? [name as keyof ProfileUpdate] : []))

export async function checkProfileSettings(
  context: Pick<Context, 'unreachable'>,
  ask: { [N in ProfileSettingName]?: unknown },
): Promise<void> {
  for (const [name, { check }] of settings) if (ask[name] !== undefined) await check?.(name, ask[name], context)
}
