/** `pattern`: the form of its value. */
export type AccountSetting = {
  pattern: RegExp
  description: string
  /** Absent: all types. */
  of?: 'payment_processor' | 'payout_processor'
  /** A URL to which requests go, or a part of it: if it changes, the credentials must be sent again. */
  host?: 'address' | 'part'
  required?: true
  /** Live mode refuses values that are plainly the vendor's for testing. */
  test?: RegExp
}

/** Paths are appended unchanged, so it has no query, no fragment and no blanks. */
export const base_url: AccountSetting = {
  pattern: /^https?:\/\/[^/?#\\\s][^?#\\\s]*$/i,
  description: 'an http or https URL without ? and #',
  host: 'address',
}

type Settings = Readonly<Record<string, AccountSetting>>
export const settingsOf = ({ settings }: { settings?: Settings }): Settings => ({ base_url, ...settings })

/** The host that card numbers go to, for connectors that send them to another than the rest. */
export const cardHost: AccountSetting = {
  pattern: /^https:\/\/[^/?#\\\s@]+$/,
  description: 'the URL to send card numbers to, if it differs from the vendor’s standard host',
  host: 'address',
}

export const pathSetting = (description: string): AccountSetting => ({ pattern: /^(\/[\w-]+){1,6}$/, description })

export function settingOf({ metadata }: { metadata: Readonly<Record<string, unknown>> }, name: string): string | undefined {
  const value = metadata[name]
  return typeof value === 'string' ? value : undefined
}
