import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'docs/decisions')
const index = readFileSync(join(folder, 'README.md'), 'utf8')
const decisions = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md') && path !== 'README.md')
  .map((path) => ({
    path: path.replaceAll(sep, '/'),
    number: basename(path).slice(0, 4),
    text: readFileSync(join(folder, path), 'utf8'),
  }))

test('every dependency has a decision that names it', () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest
  const all = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
  const unexplained = all.filter((name) => !decisions.some(({ text }) => text.includes(`\`${name}\``)))
  expect(unexplained).toEqual([])
})

test('every decision has its own number, is short, has its three parts, and is in the index by its title', () => {
  const numbers = decisions.map(({ number }) => number)
  expect(numbers.map(Number).toSorted((a, b) => a - b)).toEqual(numbers.map((_, position) => position + 1))
  const listed = index.split('\n').filter((line) => line.startsWith('- '))
  const expected = decisions.map(({ path, text }) => `- [${text.split('\n')[0]!.slice(2)}](${path})`)
  expect(listed.toSorted()).toEqual(expected.toSorted())
  for (const { path, number, text } of decisions) {
    const [title, ...rest] = text.trimEnd().split('\n')
    expect(path).toMatch(/^[a-z-]+\/\d{4}-[a-z0-9-]+\.md$/)
    expect(title, path).toMatch(new RegExp(`^# ${number} · \\S`))
    expect(rest.filter((line) => line !== '').length, path).toBeLessThanOrEqual(20)
    for (const part of ['**Decision.**', '**Why.**', '**Rejected.**']) expect(text, path).toContain(part)
  }
})
