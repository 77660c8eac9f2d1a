import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'docs/decisions')
const names = readdirSync(folder).toSorted()
const records = names.map((name) => readFileSync(join(folder, name), 'utf8'))

test('every dependency has a decision record that names it', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<
    string,
    Record<string, string>
  >
  const dependencies = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((group) =>
    Object.keys(manifest[group] ?? {}),
  )
  const unexplained = dependencies.filter((name) => !records.some((record) => record.includes(`\`${name}\``)))
  expect(unexplained).toEqual([])
})

test('every decision record is numbered, short, and says what was decided, why, and what was rejected', () => {
  expect(names.map((name) => name.slice(0, 5))).toEqual(
    names.map((_, index) => `${String(index + 1).padStart(4, '0')}-`),
  )
  for (const [index, record] of records.entries()) {
    const [title, ...rest] = record.trimEnd().split('\n')
    expect(title).toMatch(new RegExp(`^# ${names[index]!.slice(0, 4)} · \\S`))
    expect(rest.filter((line) => line !== '').length, names[index]).toBeLessThanOrEqual(10)
    for (const part of ['**Decision.**', '**Why.**', '**Rejected.**']) expect(record, names[index]).toContain(part)
  }
})
