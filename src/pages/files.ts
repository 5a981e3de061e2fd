import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Styles of `browser/` and scripts built of it (`packages/page-scripts`), perhaps while running (`launch/pages.ts`).
 */

const types: Record<string, string> = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' }

export type PageFile = { type: string; bytes: Buffer }

export type PageFiles = {
  byName: ReadonlyMap<string, PageFile>
  /** The path of the files. It contains a digest of their content, so that browsers may cache them for ever. */
  path: string
  isBuilt: boolean
}

const filesIn = (folder: string, ...endings: string[]): [name: string, file: PageFile][] =>
  readdirSync(folder)
    .toSorted()
    .flatMap(name => {
      const ending = name.split('.').at(-1)!
      if (!endings.includes(ending)) return []
      return [[name, { type: `${types[ending]}; charset=utf-8`, bytes: readFileSync(`${folder}/${name}`) }]]
    })

const styles = filesIn(fileURLToPath(new URL('browser', import.meta.url)), 'css', 'svg')

function read(scripts: string, isBuilt: boolean): PageFiles {
  const all = [...styles, ...(isBuilt ? filesIn(scripts, 'js') : [])]
  const digest = createHash('sha256')
  for (const [name, { bytes }] of all) digest.update(`${name} ${bytes.length} `).update(bytes)
  return { byName: new Map(all), path: `pages/${digest.digest('hex').slice(0, 16)}`, isBuilt }
}

/** Returns a function that returns the files with the scripts of this folder, read again if they were built anew. */
export function openPageFiles(scripts: string): () => PageFiles {
  let files: PageFiles | undefined
  let readAt: number | undefined
  return () => {
    const builtAt = statSync(scripts, { throwIfNoEntry: false })?.mtimeMs
    if (files === undefined || builtAt !== readAt) files = read(scripts, builtAt !== undefined)
    readAt = builtAt
    return files
  }
}

export const pageFiles = openPageFiles(fileURLToPath(new URL('../../packages/page-scripts/dist', import.meta.url)))
