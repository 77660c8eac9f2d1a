import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { features } from '../../contract/features.ts'
import { keyGroups } from '../../server/platform/configuration/configuration-keys.ts'
import type { ConfigurationKey } from '../../server/platform/configuration/keys/key-schemas.ts'
import { plainColours } from '../../server/platform/brand/theme.ts'

// `node tools/checks/configuration-guide.ts` generates the tables of docs/guides/configure.md; a test compares them.
export const guidePath = join(import.meta.dirname, '../../docs/guides/configure.md')

const row = (...cells: string[]) => `| ${cells.join(' | ')} |`
const code = (text: string) => `\`${text}\``

/** The values that a key can have, with an example unless the text has it already, or none can be copied. */
function valuesOf({ type, example }: Pick<ConfigurationKey, 'type' | 'example'>) {
  const isUsable = example !== undefined && /^[\x21-\x7e]+(?:, [\x21-\x7e]+)*$/.test(example)
  return isUsable && !type.includes(code(example)) ? `${type}: ${code(example)}` : type
}

/** Every key, by group: purpose, values, and default. */
function keyTables() {
  return keyGroups.flatMap(({ title, keys }) => {
    const rows = Object.entries(keys).map(([name, { about, standard, otherwise, secret, ...values }]) => {
      const names = secret === undefined ? code(name) : `${code(name)}, or ${code(`${name}_FILE`)}`
      const without = otherwise ?? (standard ? code(standard) : 'none')
      return row(names, about, valuesOf(values), without)
    })
    return [
      `### ${title}`,
      '',
      row('key', 'what for', 'values: example', 'default'),
      row('---', '---', '---', '---'),
      ...rows,
      '',
    ]
  })
}

function featureTable() {
  const rows = Object.entries(features).map(([name, { calls }]) => row(code(name), calls.map(code).join(', ')))
  return [row('feature', 'its calls begin with'), row('---', '---'), ...rows, '']
}

function colourTable() {
  const rows = Object.entries(plainColours).map(([name, colour]) => row(code(name), code(colour)))
  return [row('colour', 'Sygnet’s own'), row('---', '---'), ...rows, '']
}

const parts: Record<string, () => string[]> = { keys: keyTables, features: featureTable, colours: colourTable }

/** The guide with generated tables. */
export function withTables(guide: string): string {
  return Object.entries(parts).reduce((text, [name, lines]) => {
    const [begin, end] = [`<!-- ${name}: written by tools/checks/configuration-guide.ts -->`, `<!-- end of ${name} -->`]
    const [at, until] = [text.indexOf(begin), text.indexOf(end)]
    if (at < 0 || until < at) throw new Error(`The guide has no place for ${name}.`)
    return `${text.slice(0, at)}${begin}\n\n${lines().join('\n')}\n${text.slice(until)}`
  }, guide)
}

if (process.argv[1] === import.meta.filename) writeFileSync(guidePath, withTables(readFileSync(guidePath, 'utf8')))
