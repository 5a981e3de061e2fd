import type { FormField, FormValues } from '../../parts/form'
import { readField } from '../../parts/form'
import type { CatalogueEntry } from '../../queries'

// The fields of a connector account's form, made from the catalogue.

export const CREDENTIALS = 'connector_account_details'
export const SECRET = 'connector_webhook_details.merchant_secret'

/**
 * Returns the fields for the credentials. `auth_key_map` is an object by currency; all other credentials are texts.
 */
export const credentialFields = ({ credentials }: CatalogueEntry): FormField[] =>
  credentials.fields.map(({ name, label, secret }) => ({
    name: `${CREDENTIALS}.${name}`,
    label,
    hint: `${name}${secret ? ', kept encrypted and shown masked from now on' : ''}`,
    kind: name === 'auth_key_map' ? 'json' : secret ? 'secret' : 'text',
    required: true,
  }))

/** Returns the fields for the settings of accounts of this type, the required ones first. */
export const metadataFields = ({ metadata }: CatalogueEntry, connector_type: string): FormField[] =>
  metadata
    .filter(one => one.connector_type === null || one.connector_type === connector_type)
    .toSorted((a, b) => Number(b.required) - Number(a.required))
    .map(({ name, label, required }) => ({ name: `metadata.${name}`, label: name, hint: label, kind: 'text', required }))

export function filledValues(fields: readonly FormField[], values: FormValues): Record<string, unknown> {
  const filled: Record<string, unknown> = {}
  for (const field of fields) {
    const read = readField(field, values[field.name])
    if (read.is === 'value') filled[field.name.slice(field.name.indexOf('.') + 1)] = read.value
  }
  return filled
}

/** Returns the types of account that a connector can have, with their labels. */
export const typesOf = ({
  methods,
  payout_methods,
  verbs,
}: CatalogueEntry): { value: 'payment_processor' | 'payout_processor'; label: string }[] => [
  ...(methods.length > 0 && verbs.includes('authorize') ? [{ value: 'payment_processor' as const, label: 'Takes payments' }] : []),
  ...(payout_methods.length > 0 ? [{ value: 'payout_processor' as const, label: 'Pays out' }] : []),
]
