import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { features } from '../../contract/features.ts'
import { plainColours } from '../../server/platform/brand/theme.ts'
import { keyGroups } from '../../server/platform/configuration/configuration-keys.ts'
import type { ConfigurationKey } from '../../server/platform/configuration/keys/key-schemas.ts'

// `node tools/checks/configuration-guide.ts` generates the tables of docs/guides/configure.md; a test compares them.
export const guidePath = join(import.meta.dirname, '../../docs/guides/configure.md')

const row = (...cells: string[]) => `| ${cells.join(' | ')} |`
const code = (text: string) => `\`${text}\``

/** Describes the values that a key can have, with an example where no default shows their form. */
function valuesOf({ type, standard, example }: Pick<ConfigurationKey, 'type' | 'standard' | 'example'>) {
  const isUsable = !standard && example !== undefined && /^[\x21-\x7e]+(?:, [\x21-\x7e]+)*$/.test(example)
  return isUsable && !type.includes(code(example)) ? `${type}: ${code(example)}` : type
}

/** Returns tables of every key, by group: purpose, values, and default. */
function keyTables() {
  return keyGroups.flatMap(({ title, keys }) => {
    const rows = Object.entries(keys).map(([name, key]) => {
      const names = key.secret === undefined ? code(name) : `${code(name)}, \`…_FILE\``
      const { standard, otherwise, needed } = key
      const without = otherwise ?? (needed ? `needed with ${code(needed.with)}` : standard ? code(standard) : 'none')
      return row(names, key.about, valuesOf(key), without)
    })
    return [
      `### ${title}`,
      '',
      row('key', 'what for', 'values', 'default'),
      row('---', '---', '---', '---'),
      ...rows,
      '',
    ]
  })
}

const featureList = () => [`The features: ${Object.keys(features).map(code).join(', ')}.`, '']

/** Returns the lines that list the colours of Sygnet's own brand. */
const colourList = () => [
  `Sygnet’s own: ${Object.entries(plainColours)
    .map(([name, colour]) => `${code(name)} ${code(colour)}`)
    .join(', ')}.`,
  '',
]

const parts: Record<string, () => string[]> = { keys: keyTables, features: featureList, colours: colourList }

export function withTables(guide: string): string {
  return Object.entries(parts).reduce((text, [name, lines]) => {
    const [begin, end] = [`<!-- ${name}: written by tools/checks/configuration-guide.ts -->`, `<!-- end of ${name} -->`]
    const [at, until] = [text.indexOf(begin), text.indexOf(end)]
    if (at < 0 || until < at) throw new Error(`The guide has no place for ${name}.`)
    return `${text.slice(0, at)}${begin}\n\n${lines().join('\n')}\n${text.slice(until)}`
  }, guide)
}

if (process.argv[1] === import.meta.filename) writeFileSync(guidePath, withTables(readFileSync(guidePath, 'utf8')))
