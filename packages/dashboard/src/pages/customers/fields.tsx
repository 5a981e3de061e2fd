import type { ReactElement } from 'react'
import type { Customer } from '../../api'
import { TextField } from '../../parts/inputs'

const labels = {
  name: 'Name',
  email: 'E-mail',
  phone: 'Phone',
  phone_country_code: 'Country code of the phone',
  description: 'Description',
  tax_registration_id: 'Tax registration',
} as const
type Name = keyof typeof labels

/** The typed texts by field. Fields that were not typed in are missing, and are not sent. */
export type Typed = Readonly<Partial<Record<Name, string>>>

/** Returns the typed members that differ from the stored customer. */
export const changesOf = (typed: Typed, before: Customer | null): Typed =>
  Object.fromEntries(Object.entries(typed).filter(([name, text]) => text.trim() !== (before?.[name as Name] ?? '')))

/**
 * Shows the fields of a customer. `isMasked`: the stored values are hidden from this user, so the fields begin empty;
 * a user would otherwise send the masked texts back as values.
 */
export function CustomerFields({
  before,
  isMasked,
  typed,
  change,
}: {
  before: Customer | null
  isMasked: boolean
  typed: Typed
  change(typed: Typed): void
}): ReactElement {
  return (
    <>
      {Object.entries(labels).map(([name, label]) => {
        const known = before?.[name as Name] ?? ''
        const isHidden = isMasked && known !== '' && name !== 'description' && name !== 'phone_country_code'
        return (
          <TextField
            key={name}
            label={label}
            hint={isHidden ? 'Not shown to your role; what you type replaces it' : undefined}
            value={typed[name as Name] ?? (isHidden ? '' : known)}
            maxLength={255}
            autoComplete="off"
            change={text => change({ ...typed, [name]: text })}
          />
        )
      })}
    </>
  )
}
