import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

// Builds the published browser packages into a shop's script, as a shop would: with Vite, which is installed for the
// dashboard.

const root = join(import.meta.dirname, '../..')
const libraries = join(root, 'packages/node_modules')

/** The reason why no script can be built here; false if it can. */
export const whyNoBundle = existsSync(join(libraries, 'vite')) ? false : 'the dashboard is not installed: npm run check does that'

/** Builds these files (by name) into one script, which is given; the first file is the entry. */
export async function bundle(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-packages-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const { build } = await import(join(libraries, 'vite/dist/node/index.js'))
  const alias = {
    '@switchyard/js': join(root, 'packages/js/index.js'),
    '@switchyard/react': join(root, 'packages/react/index.js'),
    'react-dom': join(libraries, 'react-dom'),
    react: join(libraries, 'react'),
  }
  const { NODE_ENV } = process.env
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    resolve: { alias },
    build: { outDir: join(folder, 'out'), rollupOptions: { input: join(folder, Object.keys(files)[0]!) } },
  })
  // Vite sets it for the whole process, which may run other files: npm would then leave out what developers need.
  if (NODE_ENV === undefined) delete process.env.NODE_ENV
  const assets = join(folder, 'out/assets')
  return readFileSync(join(assets, readdirSync(assets).find(name => name.endsWith('.js'))!), 'utf8')
}
