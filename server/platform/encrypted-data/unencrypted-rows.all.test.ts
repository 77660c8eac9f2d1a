import { createCipheriv, createHash, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import type pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { connect, single } from '../database/database.ts'
import { deriveKeys, decrypt } from '../encryption/keys.ts'
import { migrate } from '../database/migrate.ts'
import { loadKeys } from './open-keys.ts'
import { documentsOnDisk } from '../../adapters/documents-disk.ts'
import { encryptPlainDocuments, encryptedDocuments } from '../files/encrypted-documents.ts'
import { decryptCertificates, decryptIdentifier, decryptPhone } from './encrypted-fields.ts'
import { createDatabase } from '../../testing/databases.ts'
import { dumpOf, filesOf, findIn } from '../../testing/samples/canaries.ts'

type SignatureRow = { identifierValue: Buffer; certificates: Buffer; agreementKey: string }

const migrations = join(import.meta.dirname, '../database/migrations')

/** A database as the version before 0006 left it. */
async function openEarlierDatabase() {
  const database = await createDatabase('template1')
  onTestFinished(() => database.drop())
  const { owner } = database
  await owner.query(
    'create table migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
  )
  for (const name of readdirSync(migrations).toSorted()) {
    if (name >= '0006') break
    const text = readFileSync(join(migrations, name), 'utf8')
    await owner.query(text)
    const sha256 = createHash('sha256').update(text).digest('hex')
    await owner.query('insert into migrations (name, sha256) values ($1, $2)', [name, sha256])
  }
  return database
}

/** A value as that version encrypted it, with one key for all values. */
function encryptedBefore(master: Buffer, context: string, plain: string) {
  const nonce = randomBytes(12)
  const key = Buffer.from(hkdfSync('sha256', master, '', 'sygnet seal v1', 32))
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  return Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

const number = '72103187659'
const phones = (i: number) => `+48731${String(i).padStart(6, '0')}`
const certificate = Buffer.concat([randomBytes(40), Buffer.from(`PNOPL-${number}`), randomBytes(900)])

/** Accounts beyond one batch, the first with a signature, an agreement and a paired app. */
async function fill(owner: pg.Pool, master: Buffer, agreement: string) {
  const count = 1201
  await owner.query(
    `insert into accounts (login, login_key, email, email_key, phone, first_name, surname, locale)
     select 'p' || n, 'p' || n, 'p' || n || '@mail.example', 'p' || n || '@mail.example', phone, 'Anna', 'Nowak', 'pl'
     from unnest($1::text[]) with ordinality given (phone, n)`,
    [Array.from({ length: count }, (_, i) => phones(i + 1))],
  )
  const { rows } = await owner.query<{ id: string }>(
    `insert into signatures (provider_id, account_id, product, name, identifier_type, identifier_country, identifier_value, years,
       valid_from, valid_to, status, certificate, chain, agreement_language, agreement_key, agreement_bytes, agreement_sha256)
     select 's1', id, 'app', 'Anna Nowak', 'PNO', 'PL', $1, 2, now(), now(), 'good', $2::bytea, array[$2::bytea], 'pl', $3, 1000, 'x'
     from accounts where login = 'p1' returning id`,
    [number, certificate, agreement],
  )
  const { id } = rows[0]!
  await owner.query('insert into pairings (signature_id, secret) values ($1, $2)', [
    id,
    encryptedBefore(master, `pairing ${id}`, 'secret of the app'),
  ])
  await owner.query(
    `insert into audit (act, actor, chain, seq, previous, mac) values ('signed-out', 'system', gen_random_uuid(), 1, '', '')`,
  )
  return { count, signature: id }
}

test('R83 R97 plain text stored by an earlier version is encrypted at the first start, and leaves no trace on the disk', async () => {
  const { owner, url } = await openEarlierDatabase()
  const master = randomBytes(32)
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-unencrypted-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const clear = documentsOnDisk(folder)
  const agreement = `agreements/${randomUUID()}`
  const paper = Buffer.from(`%PDF-1.7 ${number} ${'x'.repeat(900)}`)
  await clear.write(agreement, Readable.from([paper]), 10_000)
  const { count, signature } = await fill(owner, master, agreement)
  // The common prefix finds any phone that is left.
  const canaries = [number, phones(1), phones(count), '+48731']
  for (const canary of canaries) expect(findIn(await dumpOf(owner), canary)).not.toEqual([])

  await migrate(url)
  // Breaks off in the second batch; the next start continues.
  const { rows } = await owner.query<{ id: string }>('select id from accounts order by id offset 700 limit 1')
  await owner.query(`
    create function break_off() returns trigger language plpgsql as $$ begin raise exception 'power cut'; end $$;
    create trigger break_off before update on accounts for each row when (new.id = '${rows[0]!.id}') execute function break_off()`)
  await expect(loadKeys(url, [master])).rejects.toThrow('power cut')
  expect((await owner.query('select from accounts where phone is not null')).rowCount).toBe(500)
  await owner.query('drop function break_off cascade')
  // Nodes that start together encrypt once.
  const [keys] = (await Promise.all([loadKeys(url, [master]), loadKeys(url, [master])])) as [
    Awaited<ReturnType<typeof loadKeys>>,
    unknown,
  ]

  const { db, close } = connect(url)
  onTestFinished(close)
  const store = encryptedDocuments(db, keys, clear)
  await encryptPlainDocuments(db, clear, store)
  const [dump, files] = [await dumpOf(owner), await filesOf(owner)]
  const onDisk = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const document = readFileSync(join(onDisk[0]!.parentPath, onDisk[0]!.name), 'latin1')
  expect(onDisk).toHaveLength(1)
  for (const canary of canaries)
    for (const text of [dump, files, document]) expect([canary, findIn(text, canary)]).toEqual([canary, []])
  expect(findIn(files, 'p1201@mail.example')).not.toEqual([])

  // Limits, codes and the trail continue: their keys have not changed.
  const before = deriveKeys(master)
  expect([keys.audit, keys.auditHead, keys.rateLimit, keys.code]).toEqual([
    before.audit,
    before.auditHead,
    before.rateLimit,
    before.code,
  ])
  const { rows: accounts } = await sql<{
    id: string
    login: string
    phone: Buffer
  }>`select id, login, phone from accounts`.execute(db)
  for (const { id, login, phone } of accounts)
    expect(decryptPhone(keys, id, phone)).toBe(phones(Number(login.slice(1))))
  const row = single((await sql<SignatureRow>`select * from signatures`.execute(db)).rows)
  expect(decryptIdentifier(keys, signature, row.identifierValue)).toBe(number)
  const der = certificate.toString('base64')
  expect(decryptCertificates(keys, signature, row.certificates)).toEqual({ certificate: der, chain: [der] })
  const pairing = single((await sql<{ secret: Buffer }>`select secret from pairings`.execute(db)).rows)
  expect(decrypt(keys, `pairing ${signature}`, pairing.secret)).toBe('secret of the app')
  expect(await buffer((await store.read(row.agreementKey))!.content)).toEqual(paper)

  // The next start has nothing left to do.
  const { rows: shape } = await owner.query(
    `select relname from pg_class where relname like 'unsealed%' and relkind = 'r'`,
  )
  expect(shape).toEqual([])
  expect((await loadKeys(url, [master])).masters).toEqual(keys.masters)
  await encryptPlainDocuments(db, clear, store)
  expect((await sql<SignatureRow>`select agreement_key from signatures`.execute(db)).rows[0]?.agreementKey).toBe(
    row.agreementKey,
  )
})
