/**
 * A member of the metadata of a connector account that means something to its connector: what it must look like, and
 * what it does.
 */
export type AccountSetting = {
  pattern: RegExp
  says: string
  /** Only accounts of this type say it; without it all do. */
  of?: 'payment_processor' | 'payout_processor'
  /**
   * Requests go where it says: it is an address, or part of one. An account that is to be asked elsewhere says its
   * credentials again, and an address must be one that may be reached.
   */
  host?: 'address' | 'part'
  /** No account is made without it. */
  required?: true
  /** Values that are plainly the vendor's for testing: live mode refuses them. */
  test?: RegExp
}

/**
 * Of every account: where it is. Paths are appended to it as it stands, so it has no question, no fragment and no
 * blanks.
 */
export const base_url: AccountSetting = {
  pattern: /^https?:\/\/[^/?#\\\s][^?#\\\s]*$/i,
  says: 'an http or https URL without ? and #',
  host: 'address',
}

/** All settings of the accounts of a connector, by their names. */
export const settingsOf = ({
  settings,
}: {
  settings?: Readonly<Record<string, AccountSetting>>
}): Readonly<Record<string, AccountSetting>> => ({
  base_url,
  ...settings,
})

/** What the account's metadata says of a setting; undefined if nothing. */
export function settingOf({ metadata }: { metadata: Readonly<Record<string, unknown>> }, name: string): string | undefined {
  const said = metadata[name]
  return typeof said === 'string' ? said : undefined
}
