import { answer, POST, type Schemas } from '../../api'

export type Preview = Schemas['SettlementPreview']
export type PreviewLine = Pick<
  Schemas['SettlementLine'],
  'type' | 'currency' | 'gross' | 'fee' | 'net' | 'reference' | 'request_id' | 'booked_at' | 'batch'
>
/** How the columns of a report that is no vendor's are read. */
export type Columns = {
  columns: Readonly<Record<string, string>>
  amounts?: 'minor'
  currency?: string
  types?: Readonly<Record<string, string>>
}

/** The service takes 5 MiB in one request, with what a form adds. */
const PART_BYTES = 4 * 1024 * 1024
/** The beginning of a file that the preview reads. */
const LOOKED_AT_BYTES = 512 * 1024

const form = (members: Readonly<Record<string, string | Blob | null>>, name: string): FormData => {
  const made = new FormData()
  for (const [member, value] of Object.entries(members))
    if (value instanceof Blob) made.append(member, value, name)
    else if (value !== null) made.append(member, value)
  return made
}
const sent = (data: FormData) => ({ body: data as never, bodySerializer: (body: unknown) => body as FormData })

/** Returns the whole lines at the beginning of a file. */
async function beginOf(file: File): Promise<Blob> {
  if (file.size <= LOOKED_AT_BYTES) return file
  const bytes = new Uint8Array(await file.slice(0, LOOKED_AT_BYTES).arrayBuffer())
  return new Blob([bytes.slice(0, bytes.lastIndexOf(10) + 1)])
}

/** The beginnings of files that are no text, with what to do instead. */
const strangers: readonly (readonly [begin: string, problem: string])[] = [
  ['PK', 'This is an Excel workbook or an archive. Save it as CSV, or unpack it, and choose that file.'],
  ['\u00d0\u00cf\u0011\u00e0', 'This is an Excel workbook. Save it as CSV, and choose that file.'],
  ['%PDF', 'This is a PDF, which is for people to read. Download the same report as CSV.'],
  ['\u001f\u008b', 'This file is compressed. Unpack it, and choose the file within.'],
]

export type Looked = { kind: 'statement' } | { kind: 'report'; preview: Preview } | { kind: 'stranger'; problem: string }

/** Looks into a file before it is sent: whether it is a statement of a bank, or how it is read as a report. */
export async function lookInto(file: File, columns: Columns | null): Promise<Looked> {
  if (file.size === 0) return { kind: 'stranger', problem: 'The file is empty. Download the report again.' }
  const begin = new TextDecoder('latin1').decode(await file.slice(0, 64).arrayBuffer())
  const stranger = strangers.find(([first]) => begin.startsWith(first))
  if (stranger) return { kind: 'stranger', problem: stranger[1] }
  if (
    begin
      .replaceAll(/[^\x20-\x7e]/g, '')
      .trimStart()
      .startsWith('<')
  )
    return { kind: 'statement' }
  const members = { file: await beginOf(file), columns: columns && JSON.stringify(columns) }
  const preview = await answer(POST('/reconciliation/preview', sent(form(members, file.name))))
  return preview.header.length > 1
    ? { kind: 'report', preview }
    : { kind: 'stranger', problem: 'Its first line has no columns, so it is no report. Download the report as CSV.' }
}

export type Destination = { merchant_connector_id: string | null; mode: Schemas['SettlementFile']['mode']; columns: Columns | null }

type How = { key: string; progress(share: number): void }

/** Sends a file in parts. `progress` is told the share of it that has arrived. */
export async function upload(file: File, { merchant_connector_id, mode, columns }: Destination, { key, progress }: How) {
  const parts = Math.max(1, Math.ceil(file.size / PART_BYTES))
  const part = (n: number) => ({ file: file.slice(n * PART_BYTES, (n + 1) * PART_BYTES), more: n < parts - 1 ? 'true' : null })
  const members = { ...part(0), merchant_connector_id, mode, name: file.name.slice(0, 255), columns: columns && JSON.stringify(columns) }
  let sentFile = await answer(
    POST('/reconciliation/files', { params: { header: { 'Idempotency-Key': key } }, ...sent(form(members, file.name)) }),
  )
  for (let n = 1; n < parts; n++) {
    progress(n / parts)
    const path = { settlement_file_id: sentFile.settlement_file_id }
    const data = form({ ...part(n), part: String(n) }, file.name)
    sentFile = await answer(POST('/reconciliation/files/{settlement_file_id}/parts', { params: { path }, ...sent(data) }))
  }
  return sentFile
}
