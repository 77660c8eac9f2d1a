import { createCipheriv, createHash, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from './db.ts'
import { deriveKeys, unseal } from './keys.ts'
import { migrate } from './migrate.ts'
import { openKeys } from './open-keys.ts'
import { documentsOnDisk } from './ports/documents-disk.ts'
import { sealClearDocuments, sealedDocuments } from './sealed-documents.ts'
import { openCertificates, openIdentifier, openPhone } from './sealed-fields.ts'
import { createDatabase } from './testing/databases.ts'
import { dumpOf, filesOf, findIn } from './testing/canaries.ts'

const migrations = join(import.meta.dirname, 'migrations')

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

/** What that version sealed: under one key for all of its values. */
function sealedBefore(master: Buffer, place: string, plain: string) {
  const nonce = randomBytes(12)
  const key = Buffer.from(hkdfSync('sha256', master, '', 'sygnet seal v1', 32))
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place))
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
    sealedBefore(master, `pairing ${id}`, 'secret of the app'),
  ])
  await owner.query(
    `insert into audit (act, actor, chain, seq, previous, mac) values ('signed-out', 'system', gen_random_uuid(), 1, '', '')`,
  )
  return { count, signature: id }
}

test('R83 R97 what an earlier version kept in clear is sealed at the first start, and leaves no trace on the disk', async () => {
  const { owner, url } = await openEarlierDatabase()
  const master = randomBytes(32)
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-unsealed-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const clear = documentsOnDisk(folder)
  const agreement = `agreements/${randomUUID()}`
  const paper = Buffer.from(`%PDF-1.7 ${number} ${'x'.repeat(900)}`)
  await clear.write(agreement, Readable.from([paper]), 10_000)
  const { count, signature } = await fill(owner, master, agreement)
  // The beginning of all phones finds whichever of them was left behind.
  const canaries = [number, phones(1), phones(count), '+48731']
  for (const canary of canaries) expect(findIn(await dumpOf(owner), canary)).not.toEqual([])

  await migrate(url)
  // Breaks off in the second batch: what comes after it is still to be done at the next start.
  const { rows } = await owner.query<{ id: string }>('select id from accounts order by id offset 700 limit 1')
  await owner.query(`
    create function break_off() returns trigger language plpgsql as $$ begin raise exception 'power cut'; end $$;
    create trigger break_off before update on accounts for each row when (new.id = '${rows[0]!.id}') execute function break_off()`)
  await expect(openKeys(url, [master])).rejects.toThrow('power cut')
  expect((await owner.query('select from accounts where phone is not null')).rowCount).toBe(500)
  await owner.query('drop function break_off cascade')
  // Nodes that start together do it once.
  const [keys] = (await Promise.all([openKeys(url, [master]), openKeys(url, [master])])) as [
    Awaited<ReturnType<typeof openKeys>>,
    unknown,
  ]

  const { db, close } = openDatabase(url)
  onTestFinished(close)
  const sealed = sealedDocuments(db, keys, clear)
  await sealClearDocuments(db, clear, sealed)
  const [dump, files] = [await dumpOf(owner), await filesOf(owner)]
  const onDisk = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const document = readFileSync(join(onDisk[0]!.parentPath, onDisk[0]!.name), 'latin1')
  expect(onDisk).toHaveLength(1)
  for (const canary of canaries)
    for (const place of [dump, files, document]) expect([canary, findIn(place, canary)]).toEqual([canary, []])
  expect(findIn(files, 'p1201@mail.example')).not.toEqual([])

  // Counts, codes and the trail go on: their keys are what they were.
  const before = deriveKeys(master)
  expect([keys.audit, keys.auditHead, keys.budget, keys.code]).toEqual([
    before.audit,
    before.auditHead,
    before.budget,
    before.code,
  ])
  const accounts = await db.selectFrom('accounts').select(['id', 'login', 'phone']).execute()
  for (const { id, login, phone } of accounts) expect(openPhone(keys, id, phone)).toBe(phones(Number(login.slice(1))))
  const row = await db.selectFrom('signatures').selectAll().executeTakeFirstOrThrow()
  expect(openIdentifier(keys, signature, row.identifier_value)).toBe(number)
  const der = certificate.toString('base64')
  expect(openCertificates(keys, signature, row.certificates)).toEqual({ certificate: der, chain: [der] })
  const pairing = await db.selectFrom('pairings').select('secret').executeTakeFirstOrThrow()
  expect(unseal(keys, `pairing ${signature}`, pairing.secret)).toBe('secret of the app')
  expect(await buffer((await sealed.read(row.agreement_key!))!.content)).toEqual(paper)

  // The next start has nothing left to do.
  const { rows: shape } = await owner.query(
    `select relname from pg_class where relname like 'unsealed%' and relkind = 'r'`,
  )
  expect(shape).toEqual([])
  expect((await openKeys(url, [master])).masters).toEqual(keys.masters)
  await sealClearDocuments(db, clear, sealed)
  expect((await db.selectFrom('signatures').select('agreement_key').executeTakeFirst())!.agreement_key).toBe(
    row.agreement_key,
  )
})
