const LABELS = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i

/** Whether a text is a host name (RFC 1123): letters, digits and hyphens, 63 to a label and 253 in all. */
export const isHostName = (text: string): boolean =>
  text.length <= 253 && LABELS.test(text) && text.split('.').every(label => label.length <= 63)
