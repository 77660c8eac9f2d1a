import { readBrandFile } from '../server/platform/brand/brand-file.ts'
import { readSources } from '../server/platform/configuration/configuration-sources.ts'
import { writeNginxAnswers } from '../server/platform/http/nginx-answers.ts'
import type { Command } from './command.ts'
import { reasonOf } from './environment.ts'
import { CliError, exitCodes } from './cli-error.ts'

export const nginxCommands: readonly Command[] = [
  {
    name: 'nginx write',
    operands: ['FOLDER'],
    summary: 'write nginx’s own answers with your brand, such as the page while no portal answers',
    details:
      'Writes answers.conf and refused/, which docs/examples/nginx/sygnet.conf includes, such as into /etc/nginx/sygnet. Repeat it after an upgrade and after a change of BRAND_FILE, then reload nginx.',
    needs: 'brand',
    run: async ({ environment, operands: [folder = ''], note, printResult }) => {
      const errors: string[] = []
      const { texts } = readSources(environment, errors, ['BRAND_FILE'])
      const warnings: string[] = []
      const brand = texts.BRAND_FILE && !errors.length ? readBrandFile(texts.BRAND_FILE, errors, warnings) : undefined
      for (const warning of warnings) note(`${warning}\n`)
      if (!brand)
        throw new CliError(
          (errors.length ? errors : ['BRAND_FILE is not set']).map((error) => `${error}.`).join('\n'),
          exitCodes.misused,
        )
      try {
        writeNginxAnswers(folder, brand)
      } catch (error) {
        throw new CliError(`${folder} cannot be written: ${reasonOf(error)}.`)
      }
      printResult(`Written to ${folder}. Now reload nginx.\n`, { folder })
      return exitCodes.done
    },
  },
]
