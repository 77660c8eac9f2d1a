import { createDecipheriv, hkdfSync } from 'node:crypto'
import type pg from 'pg'
import { openDatabase } from './db.ts'
import { unseal, UnknownMaster, type Keys } from './keys.ts'
import { resealAll } from './sealed-columns.ts'
import { identifierIndex, sealCertificates, sealIdentifier, sealPhone } from './sealed-fields.ts'

const batchSize = 500

/**
 * Seals what versions before migration 0006 kept in clear, and seals anew what they sealed in their own way. A batch moves
 * in one statement, so that a start that was broken off goes on where it stopped.
 */
export async function sealWhatWasClear(owner: pg.Client, url: string, keys: Keys, master: Buffer): Promise<void> {
  const { db, close } = openDatabase(url, { connections: 1 })
  try {
    await resealAll(db, keys, (ring, place, sealed) => openEither(ring, place, sealed, master))
  } finally {
    await close()
  }
  await sealPhones(owner, keys)
  await sealSignatures(owner, keys)
}

type Waiting = { accounts: boolean; signatures: boolean }

async function waiting(owner: pg.Client): Promise<Waiting> {
  const { rows } = await owner.query<Waiting>(
    `select to_regclass('unsealed_accounts') is not null as accounts, to_regclass('unsealed_signatures') is not null as signatures`,
  )
  return rows[0]!
}

async function sealPhones(owner: pg.Client, keys: Keys): Promise<void> {
  if (!(await waiting(owner)).accounts) return
  for (;;) {
    const { rows } = await owner.query<{ id: string; phone: string }>(
      'select id, phone from unsealed_accounts order by id limit $1',
      [batchSize],
    )
    if (!rows.length) break
    await owner.query(
      `with sealed as (select * from unnest($1::uuid[], $2::bytea[]) as sealed (id, phone)),
         gone as (delete from unsealed_accounts u using sealed where u.id = sealed.id)
       update accounts a set phone = sealed.phone from sealed where a.id = sealed.id`,
      [rows.map(({ id }) => id), rows.map(({ id, phone }) => sealPhone(keys, id, phone))],
    )
  }
  await owner.query('alter table accounts alter column phone set not null')
  // Rows that were updated and columns that were dropped stay in the files until the table is written anew.
  await owner.query('vacuum full accounts')
  await owner.query('drop table unsealed_accounts')
}

type Clear = { id: string; identifier_value: string; certificate: Buffer; chain: Buffer[] }

async function sealSignatures(owner: pg.Client, keys: Keys): Promise<void> {
  if (!(await waiting(owner)).signatures) return
  for (;;) {
    const { rows } = await owner.query<Clear>(
      'select id, identifier_value, certificate, chain from unsealed_signatures order by id limit $1',
      [batchSize],
    )
    if (!rows.length) break
    await owner.query(
      `with sealed as (select * from unnest($1::uuid[], $2::bytea[], $3::bytea[], $4::bytea[]) as sealed (id, value, index, certificates)),
         gone as (delete from unsealed_signatures u using sealed where u.id = sealed.id)
       update signatures s set identifier_value = sealed.value, identifier_index = sealed.index, certificates = sealed.certificates
       from sealed where s.id = sealed.id`,
      [
        rows.map(({ id }) => id),
        rows.map(({ id, identifier_value: value }) => sealIdentifier(keys, id, value)),
        rows.map(({ identifier_value: value }) => identifierIndex(keys, value)),
        rows.map(({ id, certificate, chain }) =>
          sealCertificates(keys, id, {
            certificate: certificate.toString('base64'),
            chain: chain.map((der) => der.toString('base64')),
          }),
        ),
      ],
    )
  }
  await owner.query(`
    alter table signatures alter column identifier_value set not null, alter column identifier_index set not null,
      alter column certificates set not null`)
  await owner.query('vacuum full signatures')
  await owner.query('drop table unsealed_signatures')
}

/** What is sealed in today's way, or in that of versions before: under one key for all, without a key's id. */
function openEither(keys: Keys, place: string, sealed: Buffer, master: Buffer): string {
  try {
    return unseal(keys, place, sealed)
  } catch (error) {
    if (!(error instanceof UnknownMaster)) throw error
  }
  const key = Buffer.from(hkdfSync('sha256', master, '', 'sygnet seal v1', 32))
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
    .setAAD(Buffer.from(place))
    .setAuthTag(sealed.subarray(-16))
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]).toString('utf8')
}
