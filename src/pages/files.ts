import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The files that pages load: their style as stored in `browser/`, and their scripts, each bundled from the modules
 * there (`scripts/`).
 */

const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' }

export type PageFile = { name: string; type: string; bytes: Buffer }

/** Returns the files of a folder with these endings. */
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

/** The path of the files. It contains a digest of their content, so that browsers may cache them for ever. */
export const FILES = `pages/${digest.digest('hex').slice(0, 16)}`
