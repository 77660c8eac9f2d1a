import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The version of the release that this is, or comes after: the one that CHANGELOG.md has on top. */
export const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as {
  version: string
}
