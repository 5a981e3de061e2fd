import { type NamedRefusal, Refusal, type RefusalName } from '../base/refusal.ts'

const capital = (name: string): string => name[0]!.toUpperCase() + name.slice(1)

/** The facts of a refusal that only some places give. */
const sometimes: readonly PropertyKey[] = ['sentence', 'help', 'reason', 'profile_id', 'explained']

/**
 * Returns the words of a refusal, with its facts as `{names}` (and the refusal's name, if all words are facts); its
 * help; and the further members of `error` that it has.
 */
export function wording(name: RefusalName): { message: string; help: string; members: string[] } {
  const fact = (word: string) => Object.assign(new String(`{${word}}`), { join: () => `{${word}}` })
  const facts = new Proxy({}, { get: (_, word) => (sometimes.includes(word) ? undefined : fact(String(word))) })
  const { message, help, entry } = new Refusal(...([name, facts] as NamedRefusal))
  return {
    message: message === '{problem}' ? `${capital(name.replaceAll('_', ' '))}: {problem}` : message,
    help,
    members: Object.keys(entry.members?.(facts) ?? {}),
  }
}
