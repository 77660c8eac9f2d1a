import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { expect, test } from 'vitest'
import { runInProcess } from '../../cli/testing/sygnet-command.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { eventKinds } from '../../contract/provider/events.ts'
import manifest from '../../package.json' with { type: 'json' }
import { blocksOf, isSettings, readGuide } from './guide-blocks.ts'
import { root } from './source-tree.ts'

const guides = [
  'README.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`),
]
const decisionsFolder = join(root, 'docs/decisions')
const decisionPaths = readdirSync(decisionsFolder, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.md'),
)
const read = (paths: string[]) => paths.map((guide) => [guide, readFileSync(join(root, guide), 'utf8')] as const)

/** Finds the first group of every match of a pattern, with its guide. */
const foundBy = (pattern: RegExp, paths = guides) =>
  read(paths).flatMap(([guide, text]) => [...text.matchAll(pattern)].map(([, found]) => ({ guide, found: found! })))

test('every link of the README, the guides and the decisions leads to a file', () => {
  const links = foundBy(/\]\((?!https?:)([^)#]+)/g, [
    ...guides,
    ...decisionPaths.map((path) => `docs/decisions/${path}`),
  ])
  expect(links.length).toBeGreaterThan(100)
  expect(links.filter(({ guide, found }) => !existsSync(join(root, dirname(guide), found)))).toEqual([])
})

test('OPS-4 every script and every command that the README and the guides name exists', async () => {
  const npm = foundBy(/npm run (?:-s )?([a-z]+)/g)
  expect(npm.length).toBeGreaterThan(30)
  expect(npm.filter(({ found }) => !(found in manifest.scripts))).toEqual([])

  const help = (await runInProcess(['--help'], {})).out
  const commands = [...help.matchAll(/^ {2}sygnet ([a-z-]+(?: [a-z-]+)?)/gm)].map(([, command]) => command!)
  const known = new Set(commands.flatMap((command) => [command, command.split(' ')[0]!]))
  const named = foundBy(/(?:`sygnet|run (?:-s )?sygnet --|cli\/sygnet\.ts) ([a-z][a-z-]*(?: [a-z][a-z-]*)?)/g)
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(({ found }) => !known.has(found))).toEqual([])
})

test('OPS-21 every command of the guide for operators says on which machine it runs', () => {
  const blocks = blocksOf('docs/guides/operate.md', 'sh').filter((block) => !isSettings(block))
  expect(blocks.length).toBeGreaterThan(20)
  expect(blocks.map(({ lines }) => lines[0]).filter((line) => !/^# (?:on|with) /.test(line!))).toEqual([])
})

test('API-4 the guide for integrators has examples of paging, idempotency, failures and limits', () => {
  const [, ...sections] = readGuide('docs/guides/integrate.md').split(/^##+ /m)
  const examples = {
    'Lists and their pages': 'cursor=<next>',
    'Calls that must not happen twice': '\nIdempotency-Key: ',
    Failures: '"status": 422, "code": "login-taken"',
    'Rate limits': '"status": 429, "code": "too-many-requests", "retryAfter": 1',
  }
  for (const [heading, example] of Object.entries(examples))
    expect(sections.find((section) => section.startsWith(`${heading}\n`))).toContain(example)
})

test('OPS-4 every call that a guide shows is one of the portal’s', () => {
  const modules = import.meta.glob<Record<string, Partial<Endpoint>>>(
    ['../../contract/**/*.ts', '!../../contract/**/*.test.ts'],
    { eager: true },
  )
  const plain = (call: string) => call.replace(/ +/, ' ').replace(/(?<=\/)(?::\w+|\{\w+\}|<\w+>)/g, '{}')
  const known = new Set(
    Object.values(modules)
      .flatMap((module) => Object.values(module))
      .map((value) => `${value?.method} ${plain(value?.path ?? '')}`),
  )
  const shown = foundBy(/\b((?:GET|PUT|POST|PATCH|DELETE) +\/(?:provider\/v1|api)\/[^\s`?]+)/g)
  expect(shown.length).toBeGreaterThan(30)
  expect(shown.filter(({ found }) => !known.has(plain(found)) && !found.includes('…'))).toEqual([])
})

test('OPS-4 the guides list every kind of event, and no others', () => {
  const table = /\n\| type \|[^]*?\n\n/.exec(readGuide('docs/guides/events.md'))![0]
  const types = table.split('\n').flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)])
  expect(types.map(([, type]) => type!).toSorted()).toEqual(eventKinds.map(({ type }) => type).toSorted())
})

test('the guide for contributors shows code of the files that it names', () => {
  const shown = foundBy(/^```tsx? *(.*\n[^`]*)```/gm, ['docs/guides/contribute.md'])
  expect(shown.length).toBeGreaterThan(2)
  const withoutIndents = (code: string) => code.replace(/^ +/gm, '')
  for (const { found } of shown) {
    const [file, ...lines] = found.split('\n')
    expect(withoutIndents(readFileSync(join(root, file!), 'utf8'))).toContain(withoutIndents(lines.join('\n')).trim())
  }
})

test('OPS-2 the two commands of the README are the scripts of the package', () => {
  const start = expect.stringMatching(/ exec node --disable-sigusr1( --\S+)+ server\/main\.ts$/)
  const before = { prestart: 'node tools/setup.mjs build', pretest: 'node tools/setup.mjs test' }
  expect(manifest.scripts).toMatchObject({ ...before, start })
})

const index = readFileSync(join(decisionsFolder, 'README.md'), 'utf8')
const packages = readFileSync(join(decisionsFolder, 'packages.md'), 'utf8')
const decisions = decisionPaths
  .filter((path) => path.includes(sep))
  .map((path) => ({
    path: path.replaceAll(sep, '/'),
    number: basename(path).slice(0, 4),
    text: readFileSync(join(decisionsFolder, path), 'utf8'),
  }))

test('every dependency has a decision or a row that names it, and no row names another package', () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest
  const all = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
  const texts = [packages, ...decisions.map(({ text }) => text)]
  const unexplained = all.filter((name) => !texts.some((text) => text.includes(`\`${name}\``)))
  expect(unexplained).toEqual([])
  const [ofPackages] = packages.split('\n## Ours')
  const cells = [...ofPackages!.matchAll(/^\| (`[^|]*`) +\|/gm)].map(([, cell]) => cell!.split(', '))
  expect(cells.flat().filter((name) => !all.includes(name.slice(1, -1)))).toEqual([])
})

test('every decision has its own number, is short, has its three parts, and is in the index by its title', () => {
  expect(new Set(decisions.map(({ number }) => number)).size).toBe(decisions.length)
  const sections = index.split('\n## ').slice(1)
  const listed = sections.map((section) => section.split('\n').filter((line) => line.startsWith('- ')))
  for (const lines of listed) expect(lines).toEqual(lines.toSorted())
  const expected = decisions.map(({ path, text }) => `- [${text.split('\n')[0]!.slice(2)}](${path})`)
  expect(listed.flat().toSorted()).toEqual(expected.toSorted())
  for (const { path, number, text } of decisions) {
    const [title, ...rest] = text.trimEnd().split('\n')
    expect(path).toMatch(/^[a-z-]+\/\d{4}-[a-z0-9-]+\.md$/)
    expect(title, path).toMatch(new RegExp(`^# ${number} · \\S`))
    expect(rest.filter((line) => line !== '').length, path).toBeLessThanOrEqual(12)
    for (const part of ['**Decision.**', '**Why.**', '**Rejected.**']) expect(text, path).toContain(part)
  }
})
