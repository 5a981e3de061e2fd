import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * What pages fetch besides themselves: scripts and style, as they lie in `browser/`. Nothing is bundled: they are
 * few, and a browser keeps them.
 */

const folder = join(import.meta.dirname, 'browser')
const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' }

export type PageFile = { name: string; type: string; bytes: Buffer }

export const pageFiles: readonly PageFile[] = readdirSync(folder)
  .toSorted()
  .flatMap(name => {
    const type = types[name.split('.').at(-1)!]
    return type === undefined ? [] : [{ name, type: `${type}; charset=utf-8`, bytes: readFileSync(join(folder, name)) }]
  })

const digest = createHash('sha256')
for (const { name, bytes } of pageFiles) digest.update(`${name} ${bytes.length} `).update(bytes)

/** Where they are. The address changes with what is in them, so a browser may keep them for ever. */
export const FILES = `pages/${digest.digest('hex').slice(0, 16)}`
