import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { features } from '../contract/features.ts'
import { groups, keyNames, keyOf } from '../server/configuration-keys.ts'
import { plainColours } from '../server/theme.ts'

// `node tools/configuration-guide.ts` writes the tables of docs/guides/configure.md anew; a test holds them to what is read.
export const guidePath = join(import.meta.dirname, '../docs/guides/configure.md')

const row = (...cells: string[]) => `| ${cells.join(' | ')} |`
const code = (text: string) => `\`${text}\``

/** Every key, by its group: what it is for, what it can be, what holds without it, and an example. */
function keyTables() {
  return Object.entries(groups).flatMap(([group, title]) => {
    const rows = keyNames
      .filter((name) => keyOf(name).group === group)
      .map((name) => {
        const { about, type, standard, otherwise, example, secret } = keyOf(name)
        const names = secret === undefined ? code(name) : `${code(name)}, or ${code(`${name}_FILE`)}`
        const without = otherwise ?? (standard ? code(standard) : 'none')
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

/** The guide with its tables as the program has them. */
export function guideAsRead(guide: string): string {
  return Object.entries(parts).reduce((text, [name, lines]) => {
    const [begin, end] = [`<!-- ${name}: written by tools/configuration-guide.ts -->`, `<!-- end of ${name} -->`]
    const [at, until] = [text.indexOf(begin), text.indexOf(end)]
    if (at < 0 || until < at) throw new Error(`The guide has no place for ${name}.`)
    return `${text.slice(0, at)}${begin}\n\n${lines().join('\n')}\n${text.slice(until)}`
  }, guide)
}

if (process.argv[1] === import.meta.filename) writeFileSync(guidePath, guideAsRead(readFileSync(guidePath, 'utf8')))
