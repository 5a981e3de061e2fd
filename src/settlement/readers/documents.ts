/** Reads of JSON documents in which any member may be missing or of another kind. */

type Document = Record<string, unknown>

/** Null if it is no object. */
export const documentIn = (value: unknown): Document | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Document) : null

/** The objects of a list; none if it is no list. */
export const documentsOf = (value: unknown): Document[] => (Array.isArray(value) ? value.map(documentIn).filter(one => one !== null) : [])

/** Null if it is no text, or empty. */
export function memberText(document: Document | null, name: string): string | null {
  const value = document?.[name]
  return typeof value === 'string' && value !== '' ? value.slice(0, 500) : null
}
