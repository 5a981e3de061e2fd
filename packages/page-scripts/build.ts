import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/**
 * Builds the scripts of the pages for customers into a folder, each one file with all its imports, so that a browser
 * makes one request: `node build.ts FOLDER`.
 */

const root = join(import.meta.dirname, '../..')
const modules = join(root, 'src/pages/browser')

/** Returns the modules that no other module imports. */
function entries(): string[] {
  const all = readdirSync(modules).filter(name => name.endsWith('.js'))
  const imported = new Set(
    all.flatMap(name => [...readFileSync(join(modules, name), 'utf8').matchAll(/ from '\.\/([^']+)'/g)].map(([, one]) => one)),
  )
  return all.filter(name => !imported.has(name)).toSorted()
}

await build({
  entryPoints: entries().map(name => join(modules, name)),
  outdir: process.argv[2] ?? join(import.meta.dirname, 'dist'),
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
})
