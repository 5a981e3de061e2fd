import { Refusal, type RefusalName } from '../base/refusal.ts'

const capital = (name: string): string => name[0]!.toUpperCase() + name.slice(1)

/** Facts that only some places have. */
const sometimes: readonly PropertyKey[] = ['says', 'help', 'reason', 'profile_id', 'explained']

/**
 * The words of a refusal, its facts as `{names}` (its name, where all words are the facts'); its help; and the
 * further members of `error` that come with it.
 */
export function wording(name: RefusalName): { message: string; help: string; members: string[] } {
  const fact = (word: string) => Object.assign(new String(`{${word}}`), { join: () => `{${word}}` })
  const facts = new Proxy({}, { get: (_, word) => (sometimes.includes(word) ? undefined : fact(String(word))) })
  const { message, help, entry } = new Refusal(name, facts)
  return {
    message: message === '{words}' ? `${capital(name.replaceAll('_', ' '))}: {words}` : message,
    help,
    members: Object.keys(entry.members?.(facts) ?? {}),
  }
}
