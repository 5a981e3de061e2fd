import type { Static } from 'typebox'
import type { Context } from '../context.ts'
import { shapeOf } from '../resources/read.ts'
import { profileFields } from './profile-fields.ts'
import { type ProfileSetting, type ProfileSettingName, profileSettings } from './profile-settings.ts'

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
