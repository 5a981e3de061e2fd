import Type from 'typebox'
import { findMerchantRow } from '../accounts/rows.ts'
import { refuse } from '../base/refusal.ts'
import { boundedText, strictObject } from '../base/shapes.ts'
import type { Context } from '../context.ts'
import { toggleBlocklist } from './blocklist.ts'

/** The ecosystem's configuration keys for operators; each stands for a setting here, and is not stored. */

const GUARD = /^guard_blocklist_for_([A-Za-z0-9_-]{1,64})$/

export const configShape = strictObject({
  key: boundedText(255),
  value: Type.Enum(['true', 'false'], { description: 'Whether payments of the merchant are checked against its blocklist' }),
})
export const configUpdateShape = strictObject({ ...configShape.properties, key: Type.Optional(boundedText(255)) })
type Config = { key: string; value: string }

async function merchantOf(context: Context, key: string) {
  const [, merchant_id] = GUARD.exec(key) ?? []
  const found = merchant_id === undefined ? undefined : await findMerchantRow(context, merchant_id)
  return found && found.deleted_at === null ? found : refuse('not_found', { what: 'config key' })
}

export async function retrieveConfig(context: Context, key: string): Promise<Config> {
  return { key, value: String((await merchantOf(context, key)).blocklist_guard) }
}

export async function writeConfig(context: Context, { key, value }: Config): Promise<Config> {
  if (!GUARD.test(key))
    refuse('invalid_value', { field: 'key', problem: `${key} is not a known key; the only one is guard_blocklist_for_{merchant_id}` })
  const { merchant_id } = await merchantOf(context, key)
  await toggleBlocklist(context, merchant_id, value === 'true')
  return { key, value }
}

export async function deleteConfig(context: Context, key: string): Promise<Config> {
  const was = await retrieveConfig(context, key)
  await toggleBlocklist(context, (await merchantOf(context, key)).merchant_id, false)
  return was
}
