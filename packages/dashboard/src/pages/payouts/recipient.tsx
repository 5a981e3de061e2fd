import type { ReactElement } from 'react'
import type { Payout, Schemas } from '../../api'
import { Choice, TextField } from '../../parts/inputs'

type PayoutMethod = NonNullable<Schemas['CreatePayoutRequest']['payout_method_data']>
type Text = Readonly<Record<string, string>>
type Way = {
  label: string
  type: NonNullable<Payout['payout_type']>
  fields: Readonly<Record<string, string>>
  data(texts: Text): PayoutMethod
}

const account = 'Account number'
const holder = { account_holder_name: 'Account holder' }
const bank = (texts: Text) => ({ bank: texts })

/**
 * The kinds of accounts that a payout can go to from the dashboard. Card numbers are not typed in the dashboard: the
 * cardholder enters them on a payout link.
 */
const ways = {
  iban: { label: 'Bank account, by IBAN', type: 'bank', fields: { iban: 'IBAN', ...holder }, data: bank },
  ach: {
    label: 'Bank account, in the United States',
    type: 'bank',
    fields: { bank_routing_number: 'Routing number', bank_account_number: account, ...holder },
    data: bank,
  },
  bacs: {
    label: 'Bank account, in the United Kingdom',
    type: 'bank',
    fields: { bank_sort_code: 'Sort code', bank_account_number: account, ...holder },
    data: bank,
  },
  pix_key: { label: 'Pix', type: 'bank', fields: { pix_key: 'Pix key', ...holder }, data: bank },
  paypal: { label: 'PayPal', type: 'wallet', fields: { email: 'E-mail at PayPal' }, data: texts => ({ wallet: { paypal: texts } }) },
  interac: {
    label: 'Interac',
    type: 'bank_redirect',
    fields: { email: 'E-mail at Interac' },
    data: ({ email = '' }) => ({ bank_redirect: { interac: { email } } }),
  },
} as const satisfies Record<string, Way>
type WayName = keyof typeof ways

export type Recipient = { way: WayName; texts: Text }

export const noRecipient: Recipient = { way: 'iban', texts: {} }

const filled = ({ way, texts }: Recipient): Text =>
  Object.fromEntries(Object.keys(ways[way].fields).map(name => [name, texts[name]?.trim() ?? '']))

/** Returns the part of the payout request that names the recipient, or null while a field is empty. */
export function recipientSent(recipient: Recipient): Pick<Schemas['CreatePayoutRequest'], 'payout_type' | 'payout_method_data'> | null {
  const texts = filled(recipient)
  const { type, data } = ways[recipient.way] as Way
  return Object.values(texts).every(text => text !== '') ? { payout_type: type, payout_method_data: data(texts) } : null
}

/** Describes the recipient in words: `IBAN DE89… of Ada Byron`. */
export function describeRecipient(recipient: Recipient): string {
  const { account_holder_name, ...rest } = filled(recipient)
  const fields: Text = ways[recipient.way].fields
  const parts = Object.entries(rest).map(([name, text]) => `${fields[name]} ${text}`)
  return `${parts.join(', ')}${account_holder_name ? ` of ${account_holder_name}` : ''}`
}

/** Shows fields for the recipient: the kind of account, and the data that this kind needs. */
export function RecipientFields({ value, change }: { value: Recipient; change(value: Recipient): void }): ReactElement {
  return (
    <>
      <Choice
        label="Pay to"
        data={(Object.keys(ways) as WayName[]).map(name => ({ value: name, label: ways[name].label }))}
        value={value.way}
        change={way => change({ ...value, way })}
      />
      {Object.entries(ways[value.way].fields).map(([name, label]) => (
        <TextField
          key={name}
          label={label}
          value={value.texts[name] ?? ''}
          maxLength={255}
          autoComplete="off"
          spellCheck={false}
          change={text => change({ ...value, texts: { ...value.texts, [name]: text } })}
        />
      ))}
    </>
  )
}
