import { optionsOf, type Command } from './command.ts'

export const shells = ['bash', 'zsh', 'fish'] as const

/** A script that completes the names and options of commands, generated from the same table as the help. */
export function completionScript(shell: (typeof shells)[number], commands: readonly Command[]): string {
  if (shell === 'fish') return fishScript(commands)
  return shell === 'zsh' ? zshScript(commands) : bashScript(commands)
}

const wordsOf = (command: Command) => Object.keys(optionsOf(command)).map((name) => `--${name}`)

/** What is offered in place of an operand: its values, or nothing, so that the shell offers files; undefined for ids and names. */
function operandWords({ operands = [], operandValues }: Command): readonly string[] | undefined {
  if (operandValues) return operandValues
  return operands.some((operand) => operand === 'FILE' || operand === 'FOLDER') ? [] : undefined
}

function bashCase(command: Command): string {
  const options = wordsOf(command).join(' ')
  const operand = operandWords(command)?.join(' ')
  const words =
    operand === undefined ? `words='${options}'` : `words='${operand}'; [[ $word == -* ]] && words='${options}'`
  return `    '${command.name}'|'${command.name} '*) ${words} ;;`
}

/** The first words of commands, and for each the second ones, none if the command is one word. */
function wordTree(commands: readonly Command[]): Map<string, { verb: string; command: Command }[]> {
  const tree = new Map<string, { verb: string; command: Command }[]>()
  for (const command of commands) {
    const [noun = '', verb = ''] = command.name.split(' ')
    tree.set(noun, [...(tree.get(noun) ?? []), { verb, command }])
  }
  return tree
}

function bashScript(commands: readonly Command[]): string {
  const tree = wordTree(commands)
  const nouns = [...tree.keys(), '--help', '--version']
  const cases = [...tree].flatMap(([noun, entries]) => [
    ...entries.map(({ command }) => bashCase(command)),
    ...(entries.some(({ verb }) => verb)
      ? [`    '${noun}') words='${[...entries.map(({ verb }) => verb), '--help'].join(' ')}' ;;`]
      : []),
  ])
  return `_sygnet() {
  local words='' word="\${COMP_WORDS[COMP_CWORD]}"
  case "\${COMP_WORDS[*]:1:$((COMP_CWORD - 1))}" in
    '') words='${nouns.join(' ')}' ;;
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _sygnet sygnet
`
}

/**
 * Zsh runs the completions of bash. It loads this file as the function `_sygnet` at the first completion, which the file itself has to answer;
 * a shell that reads it by `source` only defines the completion.
 */
const zshScript = (commands: readonly Command[]) => `#compdef sygnet
autoload -U +X bashcompinit && bashcompinit
${bashScript(commands)}[[ $funcstack[1] != _sygnet ]] || _bash_complete -o default -F _sygnet
`

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

function fishScript(commands: readonly Command[]): string {
  const tree = wordTree(commands)
  const complete = (condition: string, what: string, summary: string) =>
    `complete -c sygnet -n ${quoted(condition)} ${what} -d ${quoted(summary)}`
  const lines = [...tree].flatMap(([noun, entries]) => {
    const isGroup = entries.some(({ verb }) => verb)
    const summary = isGroup ? entries.map(({ verb }) => verb).join(', ') : entries[0]!.command.summary
    const noVerb = `__fish_seen_subcommand_from ${noun}; and not __fish_seen_subcommand_from ${entries.map(({ verb }) => verb).join(' ')}`
    return [
      complete('__fish_use_subcommand', `-f -a ${noun}`, summary),
      ...entries.flatMap(({ verb, command }) => {
        const chosen = `__fish_seen_subcommand_from ${noun}${verb && `; and __fish_seen_subcommand_from ${verb}`}`
        return [
          ...(verb ? [complete(noVerb, `-f -a ${verb}`, command.summary)] : []),
          ...(command.operandValues
            ? [complete(chosen, `-f -a ${quoted(command.operandValues.join(' '))}`, command.operands?.join(' ') ?? '')]
            : []),
          ...Object.entries(optionsOf(command)).map(([name, option]) =>
            complete(chosen, `-l ${name}${option.valueName ? ' -r' : ''}`, option.summary),
          ),
        ]
      }),
    ]
  })
  return `${lines.join('\n')}\n`
}
