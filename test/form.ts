import type { Body } from './call.ts'

const BOUNDARY = 'a line that no file of ours holds'

/** Makes a form of files (multipart/form-data), as a client sends it. */
export function formOf(files: Body): { body: string; headers: Record<string, string> } {
  const parts = Object.entries(files).map(
    ([name, text]) =>
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"; filename="${name}.csv"\r\ncontent-type: text/csv\r\n\r\n${text}\r\n`,
  )
  return { body: `${parts.join('')}--${BOUNDARY}--\r\n`, headers: { 'content-type': `multipart/form-data; boundary="${BOUNDARY}"` } }
}
