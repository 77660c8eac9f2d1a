import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { runCommand } from '../../cli/run-command.ts'

const root = join(import.meta.dirname, '../..')
const guides = ['README.md', ...readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`)]
const decisions = readdirSync(join(root, 'docs/decisions'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md'))
  .map((path) => `docs/decisions/${path}`)
const read = (paths: string[]) => paths.map((guide) => [guide, readFileSync(join(root, guide), 'utf8')] as const)

/** The first group of every match of a pattern. */
const foundBy = (pattern: RegExp, paths = guides) =>
  read(paths).flatMap(([guide, text]) => [...text.matchAll(pattern)].map(([, found]) => ({ guide, found: found! })))

test('every link of the README, the guides and the decisions leads to a file', () => {
  const links = foundBy(/\]\((?!https?:)([^)#]+)/g, [...guides, ...decisions])
  expect(links.length).toBeGreaterThan(100)
  expect(links.filter(({ guide, found }) => !existsSync(join(root, dirname(guide), found)))).toEqual([])
})

test('OPS-4 every script and every command that the README and the guides name exists', async () => {
  const npm = foundBy(/npm run (?:-s )?([a-z]+)/g)
  expect(npm.length).toBeGreaterThan(30)
  expect(npm.filter(({ found }) => !(found in manifest.scripts))).toEqual([])

  let help = ''
  await runCommand(['--help'], {
    environment: {},
    print: (text) => void (help += text),
    note: () => {},
    isTerminal: false,
    stopSignal: () => new AbortController().signal,
  })
  const commands = [...help.matchAll(/^ {2}sygnet ([a-z-]+(?: [a-z-]+)?)/gm)].map(([, command]) => command!)
  const known = new Set(commands.flatMap((command) => [command, command.split(' ')[0]!]))
  const named = foundBy(/(?:`sygnet|run (?:-s )?sygnet --|cli\/sygnet\.ts) ([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g)
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(({ found }) => !known.has(found))).toEqual([])
})
