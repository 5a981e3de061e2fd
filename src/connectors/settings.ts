/**
 * A member of a connector account's metadata that the connector reads. `pattern`: the form of its value;
 * `description`: its meaning, as a sentence.
 */
export type AccountSetting = {
  pattern: RegExp
  description: string
  /** The type of account that has this setting; absent: all types. */
  of?: 'payment_processor' | 'payout_processor'
  /**
   * Whether the setting is the URL to which requests go, or a part of it. An account whose URL changes must send its
   * credentials again, and a URL must be one that may be reached.
   */
  host?: 'address' | 'part'
  /** Whether an account cannot be created without it. */
  required?: true
  /** The values that are plainly the vendor's for testing: live mode refuses them. */
  test?: RegExp
}

/**
 * The base URL, a setting of every account. Paths are appended to it unchanged, so it has no query, no fragment and no
 * blanks.
 */
export const base_url: AccountSetting = {
  pattern: /^https?:\/\/[^/?#\\\s][^?#\\\s]*$/i,
  description: 'an http or https URL without ? and #',
  host: 'address',
}

/** Returns all settings of a connector's accounts, by name. */
export const settingsOf = ({
  settings,
}: {
  settings?: Readonly<Record<string, AccountSetting>>
}): Readonly<Record<string, AccountSetting>> => ({
  base_url,
  ...settings,
})

/** Returns the value of a setting in the account's metadata; undefined if there is none. */
export function settingOf({ metadata }: { metadata: Readonly<Record<string, unknown>> }, name: string): string | undefined {
  const value = metadata[name]
  return typeof value === 'string' ? value : undefined
}
