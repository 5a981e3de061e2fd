import Type, { type Static, type TOptional } from 'typebox'
import { boundedText, closed } from '../base/shapes.ts'
import type { Context } from '../context.ts'
import { type ProfileSetting, type ProfileSettingName, profileSettings } from './profile-settings.ts'

/** What requests say of a business profile, read off the table of settings. */

type Settings = typeof profileSettings
type Where = {
  [N in ProfileSettingName]: Settings[N] extends { on: infer On }
    ? On
    : Settings[N] extends { by: readonly ['merchant'] }
      ? 'merchant'
      : 'create'
}
type NamesOf<On> = { [N in ProfileSettingName]: Where[N] extends On ? N : never }[ProfileSettingName]
type ShapesOf<N extends ProfileSettingName> = { [M in N]: TOptional<Settings[M]['is']> }

const all = Object.entries(profileSettings) as [ProfileSettingName, ProfileSetting][]

/** The settings that one says of itself, each as it may be said, with what it does. */
const shapesOf = (which: (setting: ProfileSetting) => boolean) =>
  Object.fromEntries(
    all
      .filter(([, setting]) => which(setting))
      .map(([name, { is, says }]) => [name, Type.Optional(says === undefined || 'description' in is ? is : { ...is, description: says })]),
  )
const isOfProfile = ({ by = ['profile'] }: ProfileSetting): boolean => by.includes('profile')

/** What a profile begins with, of what its merchant says. */
export const inheritedMembers = shapesOf(setting => setting.inherited === true) as ShapesOf<
  { [N in ProfileSettingName]: Settings[N] extends { inherited: true } ? N : never }[ProfileSettingName]
>
const members = shapesOf(setting => isOfProfile(setting) && setting.on === undefined) as ShapesOf<NamesOf<'create'>>
const ofUpdates = shapesOf(setting => setting.on === 'update') as ShapesOf<NamesOf<'update'>>
const profile_name = Type.Optional(boundedText(64))

export const profileShape = Type.Object({ profile_name, ...members }, closed)
export type ProfileAsk = Static<typeof profileShape>

export const profileUpdateShape = Type.Object({ profile_name, ...members, ...ofUpdates }, closed)
export type ProfileUpdate = Static<typeof profileUpdateShape>

/** The settings of a profile that answers show, and what they show where nothing was said. */
export const shownSettings: readonly (readonly [ProfileSettingName, unknown])[] = all
  .filter(([, setting]) => isOfProfile(setting) && setting.shown !== 'never')
  .map(([name, { usual = null, shown }]) => [name, shown === 'as said' ? null : usual])

/** What only the admin's key may say. */
export const settingsOfAdmin = all.flatMap(([name, { only }]) => (only === 'admin' ? [name as keyof ProfileUpdate] : []))

/** What is taken and only kept when a profile is created or, those of `update` too, updated: each with the reason. */
export const keptSettings = (on: 'create' | 'update'): Record<string, string> =>
  Object.fromEntries(
    all.flatMap(([name, setting]) =>
      setting.kept !== undefined && isOfProfile(setting) && (setting.on ?? on) === on ? [[name, setting.kept]] : [],
    ),
  )

/** Refuses what may not be said of these settings, of a profile or of a merchant, by name. */
export async function checkProfileSettings(
  context: Pick<Context, 'unreachable'>,
  ask: { [N in ProfileSettingName]?: unknown },
): Promise<void> {
  for (const [name, { check }] of all) if (ask[name] !== undefined) await check?.(name, ask[name], context)
}
