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

export const settingsOf = ({
  settings,
}: {
  settings?: Readonly<Record<string, AccountSetting>>
}): Readonly<Record<string, AccountSetting>> => ({
  base_url,
  ...settings,
})

export function settingOf({ metadata }: { metadata: Readonly<Record<string, unknown>> }, name: string): string | undefined {
  const value = metadata[name]
  return typeof value === 'string' ? value : undefined
}
