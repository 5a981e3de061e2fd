import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { mutants } from './mutants.ts'

/** Makes this process load the service with one mutant. Throws unless the file contains the mutant's text once. */
export function loadMutant(name: string): void {
  const mutant = mutants.find(one => one.name === name)
  if (!mutant) throw new Error(`there is no mutant "${name}"`)
  const { file, from, to } = mutant
  const its = pathToFileURL(join(import.meta.dirname, '../..', file)).href
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      if (url !== its) return loaded
      const text = String(loaded.source)
      if (text.split(from).length !== 2) throw new Error(`the mutant "${name}" does not fit ${file} any more`)
      return { ...loaded, source: text.replace(from, () => to) }
    },
  })
}
