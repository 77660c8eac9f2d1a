import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { smtpServer } from '../server/adapters/loopback/loopback-mail-server.ts'
import { demonstrationBrand } from '../server/platform/brand/brand.ts'
import { connect } from '../server/platform/database/database.ts'
import { readKeys } from '../server/platform/encrypted-data/open-keys.ts'
import { enqueue } from '../server/platform/messages/outbox.ts'
import { createDatabase } from '../server/testing/databases.ts'
import { freePort } from '../server/testing/free-port.ts'
import { killStarted, startMain } from '../server/testing/main-process.ts'
import { operatorEnvironment } from '../server/testing/operator-environment.ts'
import { makeSelfSigned } from '../server/testing/self-signed.ts'
import { runInProcess } from './testing/sygnet-command.ts'

afterEach(killStarted)

test('OPS-16 R86 a mail that cannot be delivered is a warning and a line of the command, with its cause and remedy; the remedy delivers it; standard output is JSON only', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-mail-'))
  const database = await createDatabase()
  onTestFinished(async () => {
    killStarted()
    await database.drop()
    rmSync(folder, { recursive: true })
  })
  const { file, ...certificate } = makeSelfSigned(folder)
  await using server = await smtpServer({ ...certificate, disabledCommands: [] })
  const brand = join(folder, 'brand.json')
  writeFileSync(brand, JSON.stringify(demonstrationBrand))
  const master = randomBytes(32)
  const environment = {
    ...operatorEnvironment(),
    PORT: String(await freePort()),
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    MASTER_KEY: master.toString('base64'),
    SMTP_URL: `smtp://127.0.0.1:${server.port}?requireTLS=true`,
    BRAND_FILE: brand,
    LOG_LEVEL: 'info',
  }
  const distrusting = startMain(environment)
  await distrusting.until('the portal has started')
  const keys = await readKeys(database.url, [master])
  const { db, close } = connect(database.url, { connections: 1 })
  const text = 'KANAREK-TRESC'
  const id = await db
    .transaction()
    .execute((tx) =>
      enqueue(tx, keys, { channel: 'mail', to: 'kanarek@mail.example', subject: text, text, html: text }),
    )
  await close()
  await distrusting.until('a message could not be delivered')
  const cause =
    'The certificate of the mail server is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT): set NODE_EXTRA_CA_CERTS to the file of its issuer.'
  const lines = distrusting
    .output()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { level: number; msg: string })
  expect(lines.find(({ msg }) => msg.startsWith('a message'))).toMatchObject({
    level: 40,
    delivery: { id, channel: 'mail', tries: 1, isPermanent: false, skipped: 0 },
    problem: cause,
  })
  expect(lines.map(({ msg }) => msg)).not.toContain('other')
  const command = (...args: string[]) => runInProcess(['messages', 'list', ...args], environment)
  // The line is written right after the row.
  const waiting = await command('--waiting')
  expect(waiting).toMatchObject({ code: 0, err: '' })
  expect(waiting.out).toMatch(new RegExp(`^${id} {2}20\\S+Z {2}mail {2}\\d+ tr(?:y|ies) {2}next 20\\S+Z {2}`))
  expect(waiting.out.endsWith(`  ${cause}\n`)).toBe(true)
  expect(JSON.parse((await command('--waiting', '--json')).out)).toMatchObject([{ id, failure: cause }])
  expect(await command()).toEqual({ code: 0, out: '', err: '' })
  expect(distrusting.output() + waiting.out).not.toMatch(/kanarek/i)
  distrusting.child.kill('SIGTERM')
  expect(await distrusting.exit).toBe(0)
  expect(server.arrived).toEqual([])

  const trusting = startMain({ ...environment, NODE_EXTRA_CA_CERTS: file })
  await trusting.until('the portal has started')
  await expect.poll(() => server.arrived.map(({ to }) => to), { timeout: 30_000 }).toEqual([['kanarek@mail.example']])
  await expect.poll(async () => (await command('--waiting')).out, { timeout: 30_000 }).toBe('')
})
