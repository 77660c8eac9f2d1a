import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openPortal } from '../../testing/open-portal.ts'
import { decrypt, encrypt, type Keys } from '../encryption/keys.ts'
import { column, decrypted, optional, rowsOf } from './described-rows.ts'

const { db, nodes } = await openPortal()
const { keys } = nodes[0]!.portal
const decryptPhone = (by: Keys, id: string, encrypted: Buffer) => decrypt(by, `accounts.phone ${id}`, encrypted)
const orNull = (by: Keys, id: string, encrypted: Buffer | null) => encrypted && decryptPhone(by, id, encrypted)
const phoneOf = (id: string) => sql`${encrypt(keys, `accounts.phone ${id}`, '+48600100200')}::bytea`

test('R83 a described row has its columns, groups and decrypted values, and nothing else', async () => {
  const described = rowsOf({
    id: column<string>`t.id`,
    isNew: column<boolean>`t.number > ${1}::int`,
    owner: {
      id: column<string>`t.owner`,
      contact: { phone: decrypted(decryptPhone, 'ownerId')`t.phone` },
    },
    signed: optional({ bytes: column<number | null>`t.bytes`, note: column<string>`t.note` }),
  })
  const { columns } = described
  const rows = await described(db, keys).all<{ urgency: number }>(sql`
    select ${columns}, 3 as urgency
    from (values ('a', 1, 'x', ${phoneOf('x')}, 5, null), ('b', 2, 'y', ${phoneOf('y')}, null, 'n')) t (id, number, owner, phone, bytes, note)`)
  const contact = { phone: '+48600100200' }
  expect(rows).toEqual([
    { id: 'a', isNew: false, owner: { id: 'x', contact }, signed: { bytes: 5, note: null }, urgency: 3 },
    { id: 'b', isNew: true, owner: { id: 'y', contact }, signed: null, urgency: 3 },
  ])
})

test('R83 a value is decrypted only for its own row, and a missing one is null', async () => {
  const described = rowsOf({ id: column<string>`id`, phone: decrypted(orNull)`phone` })
  const find = (id: string, phone: unknown) =>
    described(db, keys).first(sql`select ${described.columns} from (values (${id}, ${phone}::bytea)) t (id, phone)`)
  expect(await find('a', phoneOf('a'))).toEqual({ id: 'a', phone: '+48600100200' })
  expect(await find('a', null)).toEqual({ id: 'a', phone: null })
  await expect(find('b', phoneOf('a'))).rejects.toThrow()
  await expect(find('a', randomBytes(40))).rejects.toThrow()
  expect(await described(db, keys).first(sql`select ${described.columns} from accounts where false`)).toBeUndefined()
})
