import { createDecipheriv, hkdfSync } from 'node:crypto'
import type pg from 'pg'
import { connect, single } from '../database/database.ts'
import { decrypt, UnknownMasterKeyError, type Keys } from '../encryption/keys.ts'
import { reencryptAll } from './encrypted-columns.ts'
import { identifierIndex, encryptCertificates, encryptIdentifier, encryptPhone } from './encrypted-fields.ts'

const batchSize = 500

/**
 * Encrypts what versions before migration 0006 stored in clear, and re-encrypts what they encrypted in an older format. A batch is
 * moved in one statement, so an interrupted start continues where it stopped.
 */
export async function encryptPlainRows(owner: pg.Client, url: string, keys: Keys, master: Buffer): Promise<void> {
  const { db, close } = connect(url, { connections: 1 })
  try {
    await reencryptAll(db, keys, (ring, context, encrypted) => decryptAnyFormat(ring, context, encrypted, master))
  } finally {
    await close()
  }
  await encryptPhones(owner, keys)
  await encryptSignatures(owner, keys)
}

type UnencryptedTables = { accounts: boolean; signatures: boolean }

async function findUnencryptedTables(owner: pg.Client): Promise<UnencryptedTables> {
  const { rows } = await owner.query<UnencryptedTables>(
    `select to_regclass('unsealed_accounts') is not null as accounts, to_regclass('unsealed_signatures') is not null as signatures`,
  )
  return single(rows)
}

async function encryptPhones(owner: pg.Client, keys: Keys): Promise<void> {
  if (!(await findUnencryptedTables(owner)).accounts) return
  for (;;) {
    const { rows } = await owner.query<{ id: string; phone: string }>(
      'select id, phone from unsealed_accounts order by id limit $1',
      [batchSize],
    )
    if (!rows.length) break
    await owner.query(
      `with encrypted as (select * from unnest($1::uuid[], $2::bytea[]) as encrypted (id, phone)),
         gone as (delete from unsealed_accounts u using encrypted where u.id = encrypted.id)
       update accounts a set phone = encrypted.phone from encrypted where a.id = encrypted.id`,
      [rows.map(({ id }) => id), rows.map(({ id, phone }) => encryptPhone(keys, id, phone))],
    )
  }
  await owner.query('alter table accounts alter column phone set not null')
  // Updated rows and dropped columns stay in the files until the table is rewritten.
  await owner.query('vacuum full accounts')
  await owner.query('drop table unsealed_accounts')
}

type UnencryptedSignature = { id: string; identifier_value: string; certificate: Buffer; chain: Buffer[] }

async function encryptSignatures(owner: pg.Client, keys: Keys): Promise<void> {
  if (!(await findUnencryptedTables(owner)).signatures) return
  for (;;) {
    const { rows } = await owner.query<UnencryptedSignature>(
      'select id, identifier_value, certificate, chain from unsealed_signatures order by id limit $1',
      [batchSize],
    )
    if (!rows.length) break
    await owner.query(
      `with encrypted as (select * from unnest($1::uuid[], $2::bytea[], $3::bytea[], $4::bytea[]) as encrypted (id, value, index, certificates)),
         gone as (delete from unsealed_signatures u using encrypted where u.id = encrypted.id)
       update signatures s set identifier_value = encrypted.value, identifier_index = encrypted.index, certificates = encrypted.certificates
       from encrypted where s.id = encrypted.id`,
      [
        rows.map(({ id }) => id),
        rows.map(({ id, identifier_value: value }) => encryptIdentifier(keys, id, value)),
        rows.map(({ identifier_value: value }) => identifierIndex(keys, value)),
        rows.map(({ id, certificate, chain }) =>
          encryptCertificates(keys, id, {
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

/** Decrypts today's format, or the older one: one key for all values, without a key id. */
function decryptAnyFormat(keys: Keys, context: string, encrypted: Buffer, master: Buffer): string {
  try {
    return decrypt(keys, context, encrypted)
  } catch (error) {
    if (!(error instanceof UnknownMasterKeyError)) throw error
  }
  const key = Buffer.from(hkdfSync('sha256', master, '', 'sygnet seal v1', 32))
  const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, 12))
    .setAAD(Buffer.from(context))
    .setAuthTag(encrypted.subarray(-16))
  return Buffer.concat([decipher.update(encrypted.subarray(12, -16)), decipher.final()]).toString('utf8')
}
