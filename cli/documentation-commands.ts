import type { Command } from './command.ts'
import { CliError, exitCodes } from './cli-error.ts'
import { manualPage } from './manual-page.ts'
import { completionScript, shells } from './shell-completion.ts'

/** Commands about the other `commands`, and themselves. */
export const documentationCommands = (commands: () => readonly Command[]): readonly Command[] => [
  {
    name: 'completion',
    operands: ['SHELL'],
    operandValues: shells,
    summary: `print the completion script for ${shells.join(', ')}`,
    details: 'For example: sygnet completion bash > /etc/bash_completion.d/sygnet',
    needs: 'nothing',
    run: async ({ operands: [name], print }) => {
      const shell = shells.find((each) => each === name)
      if (!shell) throw new CliError(`SHELL is one of ${shells.join(', ')}.`, exitCodes.misused)
      print(completionScript(shell, commands()))
      return exitCodes.done
    },
  },
  {
    name: 'manual',
    summary: 'print the manual page',
    details: 'For example: sygnet manual > /usr/local/share/man/man1/sygnet.1',
    needs: 'nothing',
    run: async ({ print }) => {
      print(manualPage(commands()))
      return exitCodes.done
    },
  },
]
