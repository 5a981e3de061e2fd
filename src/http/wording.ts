import { catalogue, type RefusalName } from '../base/refusal.ts'

const capital = (name: string): string => name[0]!.toUpperCase() + name.slice(1)

/** The words of a refusal, its facts as `{names}` (its name, where all words are the facts'); and the further members of `error` that come with it. */
export function wording(name: RefusalName): { message: string; members: string[] } {
  const fact = (word: string) => Object.assign(new String(`{${word}}`), { join: () => `{${word}}` })
  const facts = new Proxy({}, { get: (_, word) => fact(String(word)) }) as never
  const { says, members } = catalogue[name] as { says(facts: never): string; members?(facts: never): object }
  const message = String(says(facts))
  return {
    message: message === '{words}' ? `${capital(name.replaceAll('_', ' '))}: {words}` : message,
    members: Object.keys(members?.(facts) ?? {}),
  }
}
