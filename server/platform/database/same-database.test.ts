import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../testing/databases.ts'
import { loadKeys } from '../encrypted-data/open-keys.ts'
import { UnsupportedDatabaseError } from './migrate.ts'
import { requireSameDatabase } from './requests-login.ts'

async function newDatabase(template?: string) {
  const { url, drop } = await createDatabase(template)
  onTestFinished(drop)
  return url
}

test('R180 two addresses of one database are accepted, and a restored copy of it, with the same ids and keys, is not', async () => {
  const url = await newDatabase()
  await loadKeys(url, [randomBytes(32)])
  const copy = await newDatabase(new URL(url).pathname.slice(1))
  const owner = { key: 'DATABASE_OWNER_URL', url }
  await requireSameDatabase(owner, { key: 'DATABASE_URL', url })
  await requireSameDatabase(owner, { key: 'DATABASE_URL', url: `${url}?application_name=another` })
  const refusal = await requireSameDatabase(owner, { key: 'DATABASE_URL', url: copy }).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(UnsupportedDatabaseError)
  expect((refusal as Error).message).toMatch(/^DATABASE_URL and DATABASE_OWNER_URL lead to different databases\. /)
})
