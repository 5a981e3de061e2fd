import { refuse } from '../base/refusal.ts'

/** The largest size of a form with files, in bytes. */
export const LARGEST_FORM = 5 * 1024 * 1024 + 64 * 1024

/** A file of a form, with the name and the type that its sender declares. */
type FormFile = { name: string; type: string; bytes: Buffer }

/** Reads multipart/form-data as UTF-8, `files` as bytes. Refuses (IR_06) other bodies, and text no row can store. */
export async function readForm(
  raw: Buffer,
  contentType: string | undefined,
  files: readonly string[] = [],
): Promise<Record<string, unknown>> {
  if (!/^multipart\/form-data\s*;/i.test(contentType ?? '')) refuse('missing', { field: 'a form (content-type: multipart/form-data)' })
  const form = await new Response(new Uint8Array(raw), { headers: { 'content-type': contentType! } })
    .formData()
    .catch(() => refuse('unreadable', { field: null, problem: 'The body is not a valid form of the type in its content-type' }))
  const read: Record<string, unknown> = {}
  for (const [name, value] of form) {
    if (name === '__proto__' || Object.hasOwn(read, name))
      refuse('unreadable', { field: name, problem: 'is given twice or is not a valid name' })
    if (files.includes(name) && typeof value !== 'string') {
      read[name] = { name: value.name, type: value.type, bytes: Buffer.from(await value.arrayBuffer()) } satisfies FormFile
      continue
    }
    read[name] = typeof value === 'string' ? value : textOf(name, await value.arrayBuffer())
    if ((read[name] as string).includes('\u0000')) refuse('unreadable', { field: name, problem: 'must not contain U+0000' })
  }
  return read
}

function textOf(field: string, bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return refuse('unreadable', { field, problem: 'is not UTF-8' })
  }
}
