import { deepEqual, equal, ok } from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { test } from 'node:test'

/**
 * The modules of docs/architecture.md and who may import whom: the line of arrows there is the table, and is read here.
 */

const root = join(import.meta.dirname, '..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** From left to right; modules in braces stand side by side and do not know each other. */
const line = read('docs/architecture.md').match(/^`(base ← .*)`$/m)?.[1] ?? ''
const places = line.split(' ← ').map(place => place.replace(/[{}]/g, '').trim().split(', '))

const files = globSync(['src/**/*.ts', 'sandbox/**/*.ts'], { cwd: root, exclude: ['**/*.test.ts'] }).toSorted()

/** The files of this project that a file imports. */
function imported(file: string): string[] {
  const paths = read(file).matchAll(/^(?:import|export)\b(?:[^'"]*?\bfrom)? ['"](\.[^'"]+)['"]|\bimport\(['"](\.[^'"]+)['"]\)/gm)
  return [...paths].map(([, path, later]) => relative(root, resolve(root, dirname(file), path ?? later!)))
}
const graph = new Map(files.map(file => [file, imported(file)]))

/**
 * `src/payments/actions/create-payment.ts` is in `payments`; `src/config.ts` and `src/service.ts` are modules of one
 * file;
 * the types of `src/context.ts` belong to no module.
 */
function moduleOf(file: string): string {
  const [, module] = file.split('/')
  return module!.replace(/\.ts$/, '')
}
const placeOf = (module: string): number => places.findIndex(place => place.includes(module))

/** Imports that go against the arrows. */
const wrong = (from: string, to: readonly string[]): string[] =>
  to.filter(target => {
    const [a, b] = [moduleOf(from), moduleOf(target)]
    return target !== 'src/context.ts' && a !== b && placeOf(b) >= placeOf(a)
  })

test('the import order in docs/architecture.md lists every module of src, and nothing else', () => {
  const modules = new Set(files.filter(file => file.startsWith('src/') && file !== 'src/context.ts').map(moduleOf))
  deepEqual(places.flat().toSorted(), [...modules].toSorted())
})

test('a module imports only modules to its left in the import order, and context.ts imports only a list of names', () => {
  deepEqual(graph.get('src/context.ts'), ['src/base/event-types.ts'])
  deepEqual(graph.get('src/base/event-types.ts'), [])
  for (const file of files.filter(file => file.startsWith('src/') && file !== 'src/context.ts'))
    deepEqual(wrong(file, graph.get(file)!), [], file)
  deepEqual(wrong('src/base/money.ts', ['src/payments/payment.ts']), ['src/payments/payment.ts'], 'and this test would see it')
  deepEqual(wrong('src/telemetry/attempts.ts', ['src/events/list.ts']), ['src/events/list.ts'], 'also between neighbours')
})

test('the rest of the service imports only the entry of dynamic routing', () => {
  const folder = 'src/routing/dynamic/'
  const inside = [...graph].filter(([file]) => !file.startsWith(folder)).flatMap(([, to]) => to.filter(one => one.startsWith(folder)))
  deepEqual([...new Set(inside)], [`${folder}dynamic-routing.ts`])
})

test('the service and the sandbox import neither each other nor any other folder', () => {
  for (const [file, to] of graph) {
    const [home] = file.split('/')
    deepEqual(
      to.filter(target => !target.startsWith(`${home}/`)),
      [],
      file,
    )
  }
})

test('the operations module imports only what performs an operation', () => {
  const modules = files.filter(file => moduleOf(file) === 'operations').flatMap(file => graph.get(file)!.map(moduleOf))
  const named = new Set(modules.filter(module => !['operations', 'context'].includes(module)))
  deepEqual([...named].toSorted(), ['accounts', 'base', 'connectors', 'customers', 'database', 'routing'])
})

test('the source files have no circular imports', () => {
  const done = new Set<string>()
  const findCycle = (file: string, way: readonly string[]): string | null => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file].join(' → ')
    if (done.has(file)) return null
    for (const next of graph.get(file) ?? []) {
      const found = findCycle(next, [...way, file])
      if (found !== null) return found
    }
    done.add(file)
    return null
  }
  equal(files.map(file => findCycle(file, [])).find(found => found !== null) ?? null, null)
  ok(done.size >= files.length)
})
