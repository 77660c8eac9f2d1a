import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../cli/run-command.ts'

const root = join(import.meta.dirname, '..')
const guides = ['README.md', ...readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`)]
const texts = guides.map((guide) => [guide, readFileSync(join(root, guide), 'utf8')] as const)

/** What a pattern finds in all of them, as its first group. */
const foundBy = (pattern: RegExp) =>
  texts.flatMap(([guide, text]) => [...text.matchAll(pattern)].map(([, found]) => ({ guide, found: found! })))

test('every link of the README and the guides leads somewhere', () => {
  const links = foundBy(/\]\((?!https?:)([^)#]+)/g)
  expect(links.length).toBeGreaterThan(100)
  expect(links.filter(({ guide, found }) => !existsSync(join(root, dirname(guide), found)))).toEqual([])
})

test('OPS-4 every script and every command that the README and the guides name is there', async () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const npm = foundBy(/npm run (?:-s )?([a-z]+)/g)
  expect(npm.length).toBeGreaterThan(30)
  expect(npm.filter(({ found }) => !(found in scripts))).toEqual([])

  let help = ''
  await runCommand(['--help'], {
    surroundings: {},
    print: (text) => void (help += text),
    note: () => {},
    isTerminal: false,
    stopped: new AbortController().signal,
  })
  const commands = [...help.matchAll(/^ {2}sygnet ([a-z-]+(?: [a-z-]+)?)/gm)].map(([, words]) => words!)
  const known = new Set(commands.flatMap((words) => [words, words.split(' ')[0]!]))
  const named = foundBy(/(?:`sygnet|run (?:-s )?sygnet --|cli\/sygnet\.ts) ([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g)
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(({ found }) => !known.has(found))).toEqual([])
})
