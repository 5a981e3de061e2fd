const LABELS = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i

/** Labels of letters, digits and hyphens, 63 characters each and 253 in all (RFC 1123). */
export const isHostName = (text: string): boolean =>
  text.length <= 253 && LABELS.test(text) && text.split('.').every(label => label.length <= 63)
