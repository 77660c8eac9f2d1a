import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { menu } from './menu-items.ts'

test('NAV-1 the menu has the entries that its requirement lists, in that order', () => {
  const requirements = readFileSync(join(import.meta.dirname, '../../docs/requirements/requirements.md'), 'utf8')
  const [, list = ''] = /^- NAV-1 Menu: ([^.]+)\./m.exec(requirements)!
  // `Certificates (signature, seal)` is a group with two entries.
  const required = list.split(/[;,)]|[^;(]+\(/).map((name) => name.trim().toLowerCase())
  expect(menu.flatMap(({ entries }) => entries).map(({ label }) => label.en.toLowerCase())).toEqual(
    required.filter(Boolean),
  )
})
