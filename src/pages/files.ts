import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What pages fetch besides themselves: their style as it lies in `browser/`, and their scripts, each made of the
 * modules there (`scripts/`).
 */

const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' }

export type PageFile = { name: string; type: string; bytes: Buffer }

/** The files of a folder that end so. */
function filesIn(folder: string, ...endings: string[]): PageFile[] {
  const path = join(import.meta.dirname, folder)
  return readdirSync(path)
    .toSorted()
    .flatMap(name => {
      const ending = name.split('.').at(-1)!
      return endings.includes(ending) ? [{ name, type: `${types[ending]}; charset=utf-8`, bytes: readFileSync(join(path, name)) }] : []
    })
}

export const pageFiles: readonly PageFile[] = [...filesIn('browser', 'css', 'svg'), ...filesIn('scripts', 'js')]

const digest = createHash('sha256')
for (const { name, bytes } of pageFiles) digest.update(`${name} ${bytes.length} `).update(bytes)

/** Where they are. The address changes with what is in them, so a browser may keep them for ever. */
export const FILES = `pages/${digest.digest('hex').slice(0, 16)}`
