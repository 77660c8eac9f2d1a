import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { root } from './source-tree.ts'

const folder = join(root, 'docs/decisions')
const index = readFileSync(join(folder, 'README.md'), 'utf8')
const packages = readFileSync(join(folder, 'packages.md'), 'utf8')
const decisions = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md') && path.includes(sep))
  .map((path) => ({
    path: path.replaceAll(sep, '/'),
    number: basename(path).slice(0, 4),
    text: readFileSync(join(folder, path), 'utf8'),
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
