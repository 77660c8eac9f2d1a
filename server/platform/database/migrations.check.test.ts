import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const directory = join(import.meta.dirname, 'migrations')

test('R97 no migration has changed since it was added: what changes the schema is a new file', () => {
  const names = readdirSync(directory).filter((name) => name.endsWith('.sql'))
  const sums = names.map((name) => `${hash('sha256', readFileSync(join(directory, name)))}  ${name}\n`).toSorted()
  const known = readFileSync(join(directory, 'migrations.sha256'), 'utf8').split(/(?<=\n)/)
  expect(sums, 'A new file gets its line by sha256sum; no line is ever changed.').toEqual(known.toSorted())
})
