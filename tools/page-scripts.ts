import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'

/**
 * The scripts of the pages for customers: each one file with all its imports, so that a browser makes one request. The
 * files are kept (`src/pages/scripts/`), so the service builds nothing; `npm run docs` writes them, and a test fails
 * until then.
 */

const root = join(import.meta.dirname, '..')
const modules = join(root, 'src/pages/browser')
const folder = join(root, 'src/pages/scripts')

/** Returns the modules that no other module imports. */
function beginnings(): string[] {
  const all = readdirSync(modules).filter(name => name.endsWith('.js'))
  const imported = new Set(
    all.flatMap(name => [...readFileSync(join(modules, name), 'utf8').matchAll(/ from '\.\/([^']+)'/g)].map(([, one]) => one)),
  )
  return all.filter(name => !imported.has(name)).toSorted()
}

/** Returns each script by its file name. The same modules give the same bytes. */
export function pageScripts(): Record<string, string> {
  const { outputFiles } = buildSync({
    entryPoints: beginnings().map(name => join(modules, name)),
    outdir: folder,
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    banner: { js: '// Written by `npm run docs` from src/pages/browser. Changes here are lost.' },
    write: false,
  })
  return Object.fromEntries(outputFiles.map(({ path, text }) => [path.slice(folder.length + 1), text]))
}

/** Returns the scripts that are in the repository. */
export const keptScripts = (): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map(name => [name, readFileSync(join(folder, name), 'utf8')]))

export function writePageScripts(): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const [name, text] of Object.entries(pageScripts())) writeFileSync(join(folder, name), text)
}
