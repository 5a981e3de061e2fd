import type { Command } from 'commander'
import { Mistake } from './settings.ts'

const shells = ['bash', 'zsh', 'fish'] as const

/** Returns the words that can follow each command: subcommands, choices and options. */
function completionsOf(command: Command, before: readonly string[] = []): [string, string[]][] {
  const own = command.commands.filter(one => one.name() !== 'help')
  const options = [...command.options, ...(command.parent ? [] : [])].flatMap(({ long }) => (long ? [long] : []))
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
  return [
    [before.join(' '), [...own.map(one => one.name()), ...choices, ...options, '--help']],
    ...own.flatMap(one => completionsOf(one, [...before, one.name()])),
  ]
}

const bash = (table: [string, string[]][]): string => `_switchyard() {
  local word path="" i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    case "$word" in -*) ;; *) case "$path $word" in
${table
  .filter(([path]) => path !== '')
  .map(([path]) => `      "${path.includes(' ') ? path : ` ${path}`}") path="${path}" ;;`)
  .join('\n')}
    esac ;; esac
  done
  case "$path" in
${table.map(([path, words]) => `    "${path}") COMPREPLY=($(compgen -W "${words.join(' ')}" -- "\${COMP_WORDS[COMP_CWORD]}")) ;;`).join('\n')}
  esac
}
complete -o default -F _switchyard switchyard
`

const fish = (table: [string, string[]][]): string =>
  `complete -c switchyard -f\n${table
    .flatMap(([path, words]) => {
      const seen = path
        .split(' ')
        .filter(word => word !== '')
        .map(word => `__fish_seen_subcommand_from ${word}`)
        .join('; and ')
      const when = seen === '' ? '__fish_use_subcommand' : seen
      return words.map(word =>
        word.startsWith('--')
          ? `complete -c switchyard -n '${when}' -l ${word.slice(2)}`
          : `complete -c switchyard -n '${when}' -a ${word}`,
      )
    })
    .join('\n')}\n`

/** Returns the script that completes commands in a shell. Throws a Mistake for an unknown shell. */
export function completion(root: Command, shell: string): string {
  const table = completionsOf(root)
  if (shell === 'bash') return bash(table)
  if (shell === 'zsh') return `#compdef switchyard\nautoload -U +X bashcompinit && bashcompinit\n${bash(table)}`
  if (shell === 'fish') return fish(table)
  throw new Mistake(`there is no completion for ${shell}; there is for ${shells.join(', ')}`)
}
