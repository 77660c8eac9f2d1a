import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

test('every link and every command of the README leads somewhere', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const targets = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, target]) => target!)
  expect(targets.filter((target) => !existsSync(join(root, target)))).toEqual([])
  const commands = [...readme.matchAll(/npm (?:run )?([a-z]+)/g)].map(([, name]) => name!)
  expect([...new Set(commands)].filter((name) => !(name in scripts))).toEqual([])
})
