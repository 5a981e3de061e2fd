import { spawnSync } from 'node:child_process'
import { readFileSync, renameSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

/**
 * Programs of ours that tests start hundreds of times, each as one file: reading seven hundred takes a core 1.1 s, and
 * one 0.4 s. A run of tests makes them once (docs/decisions/0191).
 */
const programs = ['test/long/mortal.ts'] as const

const made = resolve('node_modules/.cache/programs')
const madeAt = (program: string): string => join(made, basename(program).replace(/ts$/, 'mjs'))

/** What a process of Node is told to run: one file if this run of tests has made it, the source otherwise. */
export const programFile = (program: (typeof programs)[number]): string =>
  process.env.TEST_PROGRAMS === 'made' ? madeAt(program) : program

/**
 * Makes them; gives the environment that tells of it. The file has the same place each time, so that its compiled code
 * is found again; runs side by side put the same there, whole.
 */
export async function makePrograms(): Promise<{ TEST_PROGRAMS: 'made' }> {
  for (const program of programs) {
    const place = madeAt(program)
    const own = `${place}.${process.pid}`
    await build({
      ...{ entryPoints: [program], outfile: own, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' },
      // Packages may ask for others as CommonJS does.
      banner: {
        js: `import { createRequire } from 'node:module'; const require = createRequire(${JSON.stringify(resolve('package.json'))})`,
      },
      plugins: [inPlace(resolve(program))],
    })
    renameSync(own, place)
    // Compiled code is kept by a process that ends by itself, and those of tests are killed.
    spawnSync(process.execPath, [place], { env: { ...process.env, DATABASE_URL: '' }, stdio: 'ignore' })
  }
  return { TEST_PROGRAMS: 'made' }
}

/** Each file finds what lies beside it where it was before; none is the program, but the first. */
const inPlace = (first: string): Plugin => ({
  name: 'in place',
  setup(build) {
    build.onLoad({ filter: /\.[cm]?[jt]s$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const loader = path.endsWith('ts') ? 'ts' : 'js'
      if (!/\bimport\.meta\.|\b__(dirname|filename)\b/.test(text)) return { contents: text, loader }
      const said: Record<string, unknown> = {
        'import.meta.dirname': dirname(path),
        'import.meta.filename': path,
        'import.meta.url': pathToFileURL(path).href,
        'import.meta.main': path === first,
      }
      const named = text.replace(/\bimport\.meta\.(dirname|filename|url|main)\b/g, name => JSON.stringify(said[name]))
      const common = `var __dirname = ${JSON.stringify(dirname(path))}, __filename = ${JSON.stringify(path)};`
      return { contents: /\b__(dirname|filename)\b/.test(named) ? common + named : named, loader }
    })
  },
})
