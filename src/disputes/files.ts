import { refuse } from '../base/refusal.ts'
import type { Context } from '../context.ts'

/** Files of evidence. Their type is read from their first bytes, not from their names. */

export type FileKind = 'application/pdf' | 'image/jpeg' | 'image/png'

const magic: Readonly<Record<FileKind, { starts: Buffer; ending: string }>> = {
  'application/pdf': { starts: Buffer.from('%PDF-'), ending: 'pdf' },
  'image/jpeg': { starts: Buffer.from([0xff, 0xd8, 0xff]), ending: 'jpg' },
  'image/png': { starts: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ending: 'png' },
}
export const fileKinds = Object.keys(magic) as FileKind[]

/** The largest file in bytes; a processor may accept less. */
export const LARGEST_FILE = 5_000_000
const LONGEST_NAME = 255

export type GivenFile = { name: string; type: string; bytes: Buffer }
export type CheckedFile = { file_name: string; file_type: FileKind; file_size: number; bytes: Buffer }

/** Refuses (HE_03) a type that cannot be evidence or was not declared, an empty file, and one that is too large. */
export function checkFile({ name, type, bytes }: GivenFile, takes: Readonly<Partial<Record<string, number>>>): CheckedFile {
  const kind = kindOf(bytes)
  if (kind === undefined || takes[kind] === undefined)
    refuse('file_refused', { problem: `it must be one of ${fileKinds.filter(one => takes[one] !== undefined).join(', ')}, by its content` })
  if ((fileKinds as string[]).includes(type) && type !== kind)
    refuse('file_refused', { problem: `its content type says that it is ${type}, but its content is ${kind}` })
  const most = Math.min(takes[kind]!, LARGEST_FILE)
  if (bytes.length > most) refuse('file_refused', { problem: `it has ${bytes.length} bytes; a ${kind} file may have at most ${most}` })
  // File names come from untrusted callers and go to processors. They keep only letters, digits and few signs, and get
  // the extension of the detected type.
  const stem =
    name
      .replace(/\.\w{1,5}$/, '')
      .replaceAll(/[^\w .-]/g, '_')
      .slice(0, LONGEST_NAME - 8) || 'file'
  return { file_name: `${stem}.${magic[kind].ending}`, file_type: kind, file_size: bytes.length, bytes }
}

/** Refuses (HE_04) an unknown file. */
export async function needFile(
  context: Pick<Context, 'files'>,
  merchant_id: string,
  file_id: string,
): Promise<{ bytes: Buffer; type: FileKind; name: string }> {
  const bytes = await context.files.get(nameOfFile(merchant_id, file_id))
  const type = bytes && kindOf(bytes)
  return type ? { bytes, type, name: `${file_id}.${magic[type].ending}` } : refuse('absent', { what: 'file' })
}

const kindOf = (bytes: Buffer): FileKind | undefined => fileKinds.find(one => bytes.subarray(0, 16).indexOf(magic[one].starts) === 0)

export const nameOfFile = (merchant_id: string, file_id: string): string => `${merchant_id}/${file_id}`
