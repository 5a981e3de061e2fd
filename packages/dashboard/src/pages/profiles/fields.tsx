import { type Shape, updateProfile } from 'virtual:shapes'
import { type FormField, type FormValues, readField, shownIn } from '../../parts/form'
import type { Profile } from '../../queries'

// The settings of a business profile as fields of a form, made from the schema of the request that updates a profile.

/** `group`: an object whose members are separate fields. */
export type Node = { is: 'field'; field: FormField } | { is: 'group'; name: string; label: string; hint: string; nodes: Node[] }

const capitals: Record<string, string> = { url: 'URL', mit: 'MIT', '3ds': '3-D Secure', http: 'HTTP', ip: 'IP', bin: 'BIN', id: 'id' }

/** Returns the label of a setting: `Webhook URL` for `webhook_url`. */
function labelOf(name: string): string {
  const words = name.replace(/^is_|_enabled$/g, '').split('_')
  const label = words.map(word => capitals[word] ?? word).join(' ')
  return label.charAt(0).toUpperCase() + label.slice(1)
}

function kindOf({ type, enum: choices, items, properties }: Shape): FormField['kind'] | 'group' {
  if (choices) return 'one of'
  if (type === 'boolean') return 'switch'
  if (type === 'integer') return 'whole'
  if (type === 'number') return 'decimal'
  if (type === 'string') return 'text'
  if (type === 'array' && items?.enum) return 'any of'
  if (type === 'array' && items?.type === 'string') return 'lines'
  return properties && Object.keys(properties).length > 0 ? 'group' : 'json'
}

/** Whether a setting gets a field. Settings that are only stored, or that the service always refuses, get none. */
const isAsked = (shape: Shape): boolean => shape['x-kept-only'] !== true && !/^Refused/.test(shape.description ?? '')

/** Returns the description of a setting, without the list of members that are only stored and get no field. */
const descriptionOf = ({ description = '' }: Shape): string => description.split(/\.? ?Kept only of it: /)[0]!

function nodeOf(path: string, shape: Shape): Node {
  const name = path.slice(path.lastIndexOf('.') + 1)
  const kind = kindOf(shape)
  const description = descriptionOf(shape)
  if (kind === 'group') {
    const kept = Array.isArray(shape['x-kept-only']) ? shape['x-kept-only'] : []
    const members = Object.entries(shape.properties ?? {}).filter(([member, inner]) => isAsked(inner) && !kept.includes(member))
    return {
      is: 'group',
      name: path,
      label: labelOf(name),
      hint: description,
      nodes: members.map(([member, inner]) => nodeOf(`${path}.${member}`, inner)),
    }
  }
  const hint = (
    <>
      {description !== '' && `${description.replace(/\.$/, '')}. `}
      {kind === 'lines' && 'One a line. '}
      {kind === 'json' && 'As JSON. '}
      <span className="mono">{name}</span>
    </>
  )
  const choices = shape.enum ?? shape.items?.enum
  return { is: 'field', field: { name: path, label: labelOf(name), hint, kind, ...(choices && { choices: [...choices] }) } }
}

const asked = Object.entries(updateProfile.properties ?? {}).filter(([, shape]) => isAsked(shape))
const nodes = new Map(asked.map(([name, shape]) => [name, nodeOf(name, shape)]))

/** Settings that are stored encrypted and returned masked. They can be replaced, but not edited. */
const masked = new Set(asked.filter(([, { description = '' }]) => /returned masked/.test(description)).map(([name]) => name))
export const isMasked = (name: string): boolean => masked.has(name)

/** The settings in the order of the page. Settings that are in none of these groups are in the last one. */
const order: readonly { group: string; title: string; description: string; names: string }[] = [
  {
    group: 'checkout',
    title: 'Checkout',
    description: 'Where customers return to, and how long they have',
    names:
      'profile_name return_url redirect_to_merchant_with_http_post enable_payment_response_hash payment_response_hash_key session_expiry is_iframe_redirection_enabled',
  },
  {
    group: 'retries',
    title: 'Retries',
    description: 'What happens after a decline',
    names: 'is_auto_retries_enabled max_auto_retries_enabled is_manual_retry_enabled',
  },
  {
    group: 'authorization',
    title: 'Authorization',
    description: 'Options sent with every authorization',
    names:
      'always_request_extended_authorization always_enable_overcapture is_connector_agnostic_mit_enabled is_l2_l3_enabled force_3ds_challenge authentication_connector_details',
  },
  {
    group: 'webhooks',
    title: 'Webhooks',
    description: 'The endpoint of the profile itself; more of them are under Webhooks',
    names: 'webhook_details outgoing_webhook_custom_http_headers',
  },
  { group: 'payment_links', title: 'Payment links', description: 'How their pages look', names: 'payment_link_config' },
  { group: 'payout_links', title: 'Payout links', description: 'How their pages look', names: 'payout_link_config' },
  {
    group: 'fraud',
    title: 'Fraud',
    description: 'Blocked payment methods and limits on attempts',
    names: 'card_testing_guard_config payment_method_blocking',
  },
  {
    group: 'wallets',
    title: 'Wallets',
    description: 'Data requested from wallets',
    names:
      'collect_shipping_details_from_wallet_connector collect_billing_details_from_wallet_connector always_collect_shipping_details_from_wallet_connector always_collect_billing_details_from_wallet_connector',
  },
  { group: 'other', title: 'Tax and more', description: 'Taxes, metadata, and what is for specialists', names: '' },
]

/** The groups of settings with their fields. */
export const groups = order.map(({ names, ...group }) => {
  const named = new Set(order.flatMap(one => one.names.split(' ')))
  const own = group.group === 'other' ? [...nodes.keys()].filter(name => !named.has(name)) : names.split(' ')
  return { ...group, nodes: own.flatMap(name => nodes.get(name) ?? []) }
})

const fieldsOf = (node: Node): FormField[] => (node.is === 'field' ? [node.field] : node.nodes.flatMap(fieldsOf))
export const allFields: readonly FormField[] = groups.flatMap(group => group.nodes.flatMap(fieldsOf))
export const fieldNames: readonly string[] = allFields.map(({ name }) => name)

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name], value)

export const shownOf = (field: FormField, profile: Profile): FormValues[string] =>
  isMasked(field.name) ? '' : shownIn(field, at(profile, field.name.split('.')))

/** Whether the value of a field equals the stored value. */
export const isSame = (field: FormField, value: FormValues[string] | undefined, profile: Profile): boolean =>
  value === undefined || JSON.stringify(value) === JSON.stringify(shownOf(field, profile))

/** Returns a copy of an object in which a member is set, or removed if `value` is undefined. */
function put(object: Record<string, unknown>, [name, ...rest]: readonly string[], value: unknown): Record<string, unknown> {
  if (name === undefined) return object
  if (rest.length > 0) return { ...object, [name]: put((object[name] ?? {}) as Record<string, unknown>, rest, value) }
  const { [name]: _before, ...others } = object
  return value === undefined ? others : { ...others, [name]: value }
}

/** The only object that the service merges with the stored one; other objects are replaced as a whole. */
const MERGED = 'webhook_details'

/**
 * Returns the request that updates a profile, with the changed settings only. `wrong` holds the errors of values that
 * cannot be sent, by field.
 */
export function changeOf(profile: Profile, values: FormValues): { body: Record<string, unknown>; wrong: Record<string, string> } {
  let body: Record<string, unknown> = {}
  const wrong: Record<string, string> = {}
  for (const field of allFields.filter(one => !isSame(one, values[one.name], profile))) {
    const path = field.name.split('.')
    const read = readField(field, values[field.name])
    if (read.is === 'wrong') wrong[field.name] = read.why
    else if (read.is === 'nothing' && (path.length === 1 || path[0] === MERGED))
      wrong[field.name] = 'The interface does not take this back: it can only be replaced'
    else {
      const [top] = path
      if (path.length > 1 && top !== MERGED && !(top! in body)) body = { ...body, [top!]: profile[top as keyof Profile] ?? {} }
      body = put(body, path, read.is === 'value' ? read.value : undefined)
    }
  }
  return { body, wrong }
}
