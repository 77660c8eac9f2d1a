import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { features } from '../../contract/features.ts'
import { keyGroups } from '../../server/platform/configuration/configuration-keys.ts'
import { plainColours } from '../../server/platform/brand/theme.ts'

// `node tools/checks/configuration-guide.ts` generates the tables of docs/guides/configure.md; a test compares them.
export const guidePath = join(import.meta.dirname, '../../docs/guides/configure.md')

const row = (...cells: string[]) => `| ${cells.join(' | ')} |`
const code = (text: string) => `\`${text}\``

/** Every key, by group: purpose, type, default, and an example. */
function keyTables() {
  return keyGroups.flatMap(({ title, keys }) => {
    const rows = Object.entries(keys).map(([name, { about, type, standard, otherwise, needed, example, secret }]) => {
      const names = secret === undefined ? code(name) : `${code(name)}, or ${code(`${name}_FILE`)}`
      const without = otherwise ?? (needed ? `needed with ${code(needed.with)}` : standard ? code(standard) : 'none')
      const shown = /^[\x21-\x7e]+(?:, [\x21-\x7e]+)*$/.test(example) ? code(example) : example
      return row(names, about, type, without, shown)
    })
    return [
      `### ${title}`,
      '',
      row('key', 'what for', 'what it can be', 'default', 'example'),
      row('---', '---', '---', '---', '---'),
      ...rows,
      '',
    ]
  })
}

function featureTable() {
  const rows = Object.entries(features).map(([name, { pages, calls }]) =>
    row(code(name), pages.map(code).join(', ') || '', calls.map(code).join(', ')),
  )
  return [row('feature', 'pages', 'calls that begin with'), row('---', '---', '---'), ...rows, '']
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
