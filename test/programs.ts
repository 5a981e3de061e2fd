import { spawnSync } from 'node:child_process'
import { readFileSync, renameSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

/**
 * Programs of the service that tests start hundreds of times, each bundled into one file: reading seven hundred files
 * takes a core 1.1 s, reading one 0.4 s. A test run makes the bundles once (docs/design/tests-and-releases.md).
 */
const programs = ['test/long/mortal.ts'] as const

const made = resolve('node_modules/.cache/programs')
const madeAt = (program: string): string => join(made, basename(program).replace(/ts$/, 'mjs'))

/** Gives the file of a program that Node is to run: the bundle if this test run has made it, else the source. */
export const programFile = (program: (typeof programs)[number]): string =>
  process.env.TEST_PROGRAMS === 'made' ? madeAt(program) : program

/**
 * Makes the bundles; gives the environment variable by which test processes know this. A bundle has the same path each
 * time, so that its compiled code is found again. Test runs in parallel write the same bundle to this path, each in
 * one rename.
 */
export async function makePrograms(): Promise<{ TEST_PROGRAMS: 'made' }> {
  for (const program of programs) {
    const place = madeAt(program)
    const own = `${place}.${process.pid}`
    await build({
      ...{ entryPoints: [program], outfile: own, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' },
      // Bundled packages may load others as CommonJS does.
      banner: {
        js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(resolve('package.json'))})`,
      },
      plugins: [inPlace(resolve(program))],
    })
    renameSync(own, place)
    // Only a process that ends by itself keeps the compiled code, and the processes of tests are killed.
    spawnSync(process.execPath, [place], { env: { ...process.env, DATABASE_URL: '' }, stdio: 'ignore' })
  }
  return { TEST_PROGRAMS: 'made' }
}

/**
 * Keeps the paths of each bundled file (`import.meta.dirname` and the like) as they were in its source. Only the first
 * file is the main program.
 */
const inPlace = (first: string): Plugin => ({
  name: 'in place',
  setup(build) {
    build.onLoad({ filter: /\.[cm]?[jt]s$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const loader = path.endsWith('ts') ? 'ts' : 'js'
      if (!/\bimport\.meta\.|\b__(dirname|filename)\b/.test(text)) return { contents: text, loader }
      const values: Record<string, unknown> = {
        'import.meta.dirname': dirname(path),
        'import.meta.filename': path,
        'import.meta.url': pathToFileURL(path).href,
        'import.meta.main': path === first,
      }
      const named = text.replace(/\bimport\.meta\.(dirname|filename|url|main)\b/g, name => JSON.stringify(values[name]))
      const common = `var __dirname = ${JSON.stringify(dirname(path))}, __filename = ${JSON.stringify(path)};`
      return { contents: /\b__(dirname|filename)\b/.test(named) ? common + named : named, loader }
    })
  },
})
