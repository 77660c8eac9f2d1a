import { version } from '../server/platform/observability/version.ts'
import { exitTexts, lineOf, needs, optionsOf, type Command } from './command.ts'

/** The manual page in section 1, in the macros of man(7), generated from the same table as the help. */
export function manualPage(commands: readonly Command[]): string {
  return [
    `.TH SYGNET 1 "" "sygnet ${version}"`,
    '.SH NAME',
    roff('sygnet - the command line of the portal’s operator and provider'),
    '.SH SYNOPSIS',
    '.B sygnet',
    '.I COMMAND',
    roff('[OPERANDS] [OPTIONS]'),
    '.SH COMMANDS',
    ...commands.flatMap(sectionOf),
    '.SH EXIT STATUS',
    ...Object.entries(exitTexts).flatMap(([code, text]) => ['.TP', `.B ${code}`, roff(text)]),
    '',
  ].join('\n')
}

const sectionOf = (command: Command) => [
  `.SS ${roff(lineOf(command))}`,
  roff(`${command.summary}.`),
  ...(command.details ? ['.PP', roff(command.details)] : []),
  ...Object.entries(optionsOf(command)).flatMap(([name, { valueName, summary }]) => [
    '.TP',
    `.B ${roff(`--${name}${valueName ? ` ${valueName}` : ''}`)}`,
    roff(summary),
  ]),
  '.PP',
  roff(needs[command.needs]),
]

/** Backslashes and hyphens as themselves; a line that begins with a space, a full stop or an apostrophe would mean something. */
const roff = (text: string) =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^ +/gm, '')
    .replaceAll(/^(?=['.])/gm, '\\&')
