import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '../../../contract/account.ts'
import { openBrowser } from '../../testing/browser.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { makeCustomer } from '../../testing/test-customers.ts'
import { connect, type Tx } from '../database/database.ts'
import { openHead, readHead, signHead, type Head } from './audit-head.ts'
import { verifyTrail, type Finding } from './audit-verify.ts'
import { addAuditEntry } from './audit.ts'

type Position = { chain: string; seq: number }

let folder: string
/** Oldest first; the newest is in the folder. */
const heads: Head[] = []
/** The positions that the newest head covers. */
let known: Position[]

const portal = await openPortal({ nodes: 2 })
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sygnet-audit-'))
  for (let round = 0; round < 3; round++) {
    await Promise.all(Array.from({ length: 16 }, (_, worker) => addSomeEntries(worker % 2, round ? 2 : 5)))
    heads.push(openHead(portal.portal.keys, await signHead(portal.db, portal.portal.keys, folder)))
  }
  known = heads.at(-1)!.ends.flatMap(([chain, length]) => Array.from({ length }, (_, i) => ({ chain, seq: i + 1 })))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
})

async function addSomeEntries(node: number, count: number) {
  for (let n = 0; n < count; n++)
    await portal.nodes[node]!.db.transaction().execute((tx) =>
      addAuditEntry(tx, {
        action: 'code-refused',
        accountId: crypto.randomUUID(),
        actor: 'customer',
        address: '198.51.100.7',
        details: { n, text: 'zażółć "1"\n' },
      }),
    )
}

async function verified(tx: Tx, compared: { known?: Head[]; now?: Head } = {}) {
  const findings: Finding[] = []
  const counted = await verifyTrail(
    tx,
    portal.portal.keys.audit,
    { known: compared.known ?? [heads.at(-1)!], now: () => compared.now ?? readHead(portal.portal.keys, folder) },
    (finding) => findings.push(finding),
  )
  return { findings, ...counted }
}

class RolledBack extends Error {}

/** Returns the findings after a manipulation by the owner of the database, which is then rolled back. */
async function afterTampering(tamper: (tx: Tx) => Promise<unknown>, compared: { known?: Head[]; now?: Head } = {}) {
  let findings: Finding[] = []
  await portal.db
    .transaction()
    .execute(async (tx) => {
      await sql`set local role none`.execute(tx)
      await tamper(tx)
      findings = (await verified(tx, compared)).findings
      throw new RolledBack()
    })
    .catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error
    })
  return findings
}

const names = (findings: Finding[], { chain, seq }: Position) =>
  findings.some((finding) => finding.chain === chain && finding.from <= seq && seq <= finding.to)

const lengthOf = (chain: string) => known.filter((position) => position.chain === chain).length

/** Changes of one entry, each to another value than it had. */
const changes = {
  action: sql`act = act || 'x'`,
  at: sql`at = at + interval '1 microsecond'`,
  'no time': sql`at = 'infinity'`,
  account: sql`account_id = gen_random_uuid()`,
  'no account': sql`account_id = null, details = '{}'`,
  actor: sql`actor = upper(actor)`,
  address: sql`address = '203.0.113.9'`,
  'no address': sql`address = null, act = 'x'`,
  details: sql`details = details || '{"n": 99}'`,
  number: sql`id = default`,
  previous: sql`previous = sha256(previous)`,
  mac: sql`mac = set_byte(mac, 31, 255 - get_byte(mac, 31))`,
  'no mac': sql`mac = ''`,
}

const copyContent = (tx: Tx, into: Position, from: Position) =>
  sql`
  update audit t set (at, act, account_id, actor, address, details, previous, mac) =
    (select at, act, account_id, actor, address, details, previous, mac from before s where s.chain = ${from.chain} and s.seq = ${from.seq})
  where t.chain = ${into.chain} and t.seq = ${into.seq}`.execute(tx)

/** Drops the key by which no two entries of this month have one place. */
async function dropPlaces(tx: Tx) {
  const { rows } = await sql<{ statement: string }>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement from pg_constraint
    where contype = 'p' and conrelid = (select tableoid from audit limit 1)`.execute(tx)
  await sql.raw(rows[0]!.statement).execute(tx)
}

/** Manipulations by the owner, each with the positions that must be named. */
const tamperings: {
  [kind: string]: (tx: Tx, entry: Position, another: Position, size: number) => Promise<Position[]>
} = {
  async remove(tx, entry, _, size) {
    const to = Math.min(entry.seq + (size % 4), lengthOf(entry.chain))
    await sql`delete from audit where chain = ${entry.chain} and seq between ${entry.seq} and ${to}`.execute(tx)
    return [entry, { chain: entry.chain, seq: to }]
  },
  async 'swap their content'(tx, entry, another) {
    await sql`create temp table before on commit drop as table audit`.execute(tx)
    await copyContent(tx, entry, another)
    await copyContent(tx, another, entry)
    return [entry, another]
  },
  async 'append a copy'(tx, entry, another) {
    const { rows } = await sql<{ seq: string }>`
      insert into audit (chain, seq, id, at, act, account_id, actor, address, details, previous, mac) overriding system value
      select ${another.chain}, (select max(seq) + 1 from audit where chain = ${another.chain}), nextval('audit_id_seq'), at, act, account_id, actor,
        address, details, (select mac from audit where chain = ${another.chain} order by seq desc limit 1), mac
      from audit where chain = ${entry.chain} and seq = ${entry.seq} returning seq`.execute(tx)
    return [{ chain: another.chain, seq: Number(rows[0]!.seq) }]
  },
  async 'add a chain'(tx) {
    const chain = crypto.randomUUID()
    await sql`
      insert into audit (chain, seq, id, act, actor, previous, mac) overriding system value
      select ${chain}, 1, id, 'signed-out', 'customer', '', sha256(convert_to(jsonb_build_array(${chain}::uuid, 1, id,
        portal_now() at time zone 'UTC', 'signed-out', null, 'customer', null, '{}'::jsonb)::text, 'UTF8'))
      from nextval('audit_id_seq') id`.execute(tx)
    return [{ chain, seq: 1 }]
  },
  async 'duplicate one at its position'(tx, entry) {
    await dropPlaces(tx)
    await sql`insert into audit overriding system value select * from audit where chain = ${entry.chain} and seq = ${entry.seq}`.execute(
      tx,
    )
    return [entry]
  },
  async 'truncate all'(tx, entry, another) {
    await sql`truncate audit`.execute(tx)
    return [entry, another]
  },
  async 'remove and close the gap'(tx, entry) {
    await dropPlaces(tx)
    await sql`delete from audit where chain = ${entry.chain} and seq = ${entry.seq}`.execute(tx)
    await sql`update audit set seq = seq - 1 where chain = ${entry.chain} and seq > ${entry.seq}`.execute(tx)
    return [entry, { chain: entry.chain, seq: lengthOf(entry.chain) }]
  },
}

test('OPS-5 R84 an untouched trail of several chains verifies clean', async () => {
  const { findings, records, chains } = await portal.db.transaction().execute((tx) => verified(tx, { known: heads }))
  expect(findings).toEqual([])
  expect(chains).toBeGreaterThan(3)
  expect(records).toBe((await portal.owner.query('select from audit')).rowCount)
})

test('OPS-5 R84 each of many manipulations by the owner of the database is found and named', async () => {
  const places = fc.constantFrom(...known)
  const kinds = fc.constantFrom(...Object.keys(tamperings))
  await fc.assert(
    fc.asyncProperty(kinds, places, places, fc.integer({ min: 1, max: 60 }), async (kind, entry, another, size) => {
      fc.pre(entry !== another)
      let touched: Position[] = []
      const findings = await afterTampering(async (tx) => (touched = await tamperings[kind]!(tx, entry, another, size)))
      expect(touched.filter((position) => !names(findings, position))).toEqual([])
    }),
    { numRuns: 60 },
  )
})

test.each(Object.entries(changes))(
  'OPS-5 R84 a change of one entry is found and named alone: %s',
  async (what, change) => {
    // The third entry of a chain that goes on after it.
    const entry = { chain: known.find(({ seq }) => seq === 4)!.chain, seq: 3 }
    const findings = await afterTampering((tx) =>
      sql`update audit set ${change} where chain = ${entry.chain} and seq = ${entry.seq}`.execute(tx),
    )
    expect(findings).toContainEqual({ chain: entry.chain, from: 3, to: 3, what: 'changed' })
    // The entry after one with a changed MAC no longer follows it.
    expect(findings.filter(({ from }) => from !== 3).map(({ from }) => from)).toEqual(/mac/.test(what) ? [4] : [])
  },
)

test('OPS-5 R84 an older head that is put back is found, with the entry of the newer one', async () => {
  for (const old of heads.slice(0, -1)) {
    const findings = await afterTampering(async () => {}, { known: [old], now: old })
    expect(findings.map(({ what }) => what)).toEqual(['head replaced'])
    const rows = await portal.rows(
      `select (details->>'ordinal')::int as ordinal from audit where chain = $1 and seq = $2`,
      [findings[0]!.chain, findings[0]!.from],
    )
    expect(rows).toEqual([{ ordinal: readHead(portal.portal.keys, folder)!.ordinal }])
  }
})

test('OPS-5 R84 a trail cut back to an older head that is put back is found by a head kept elsewhere', async () => {
  const old = heads[0]!
  const cutBack = (tx: Tx) =>
    sql`
    delete from audit where not exists (
      select from jsonb_array_elements(${JSON.stringify(old.ends)}::jsonb) entry
      where (entry->>0)::uuid = chain and seq <= (entry->>1)::bigint)`.execute(tx)
  expect(await afterTampering(cutBack, { known: [old], now: old })).toEqual([])
  const findings = await afterTampering(cutBack, { known: [old, heads.at(-1)!], now: old })
  for (const position of known)
    if (!old.ends.some(([chain, length]) => chain === position.chain && position.seq <= length))
      expect(names(findings, position)).toBe(true)
})

test('OPS-5 R84 the role of the requests can only add entries, and those added without the key are found', async () => {
  const rows = await portal.rows(
    `select string_agg(right_, ',' order by right_) as rights
     from unnest(array['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN']) right_
     where has_table_privilege('sygnet_app', 'audit', right_)`,
  )
  expect(rows).toEqual([{ rights: 'INSERT' }])
  // Everything the portal has except its key: a consistent chain.
  const forger = connect(portal.owner.options.connectionString!, { auditKey: randomBytes(32), connections: 1 })
  for (let n = 0; n < 2; n++)
    await forger.db
      .transaction()
      .execute((tx) => addAuditEntry(tx, { action: 'signed-out', accountId: null, actor: 'system' }))
  await forger.close()
  const { findings } = await portal.db.transaction().execute((tx) => verified(tx))
  const { chain } = findings[0]!
  expect(findings).toEqual([1, 2].map((seq) => ({ chain, from: seq, to: seq, what: 'changed' })))
  await portal.owner.query('delete from audit where chain = $1', [chain])
})

/** Checks by SQL alone that no chain has a gap, a fork or another first position than 1. */
const brokenChains = async () =>
  (
    await portal.owner.query(
      'select chain from audit group by chain having min(seq) <> 1 or max(seq) <> count(*) or count(distinct seq) <> count(*)',
    )
  ).rows

test('OPS-5 R85 a verifier that runs while two nodes write finds nothing, and sees the trail grow', async () => {
  const person = await makeCustomer(portal)
  let writing = true
  const write = async (worker: number) => {
    while (writing) {
      await addSomeEntries(worker % 2, 3)
      await openBrowser(portal, { node: worker % 2, address: `192.0.2.${worker}` }).call(signIn, {
        body: { login: `${person.login}-nobody-${worker}`, password: 'wrong' },
      })
    }
  }
  const writers = Promise.all(Array.from({ length: 8 }, (_, worker) => write(worker)))
  const seen: number[] = []
  try {
    while (seen.length < 8 || seen.at(-1)! < seen[0]! + 100) {
      const { findings, records } = await portal.db.transaction().execute((tx) => verified(tx))
      expect(findings).toEqual([])
      seen.push(records)
      if (seen.length === 4) await signHead(portal.nodes[1]!.db, portal.portal.keys, folder)
    }
  } finally {
    writing = false
    await writers
  }
  expect(await brokenChains()).toEqual([])
})

test('OPS-5 R85 failing actions and killed connections leave no gap, and no answered action is lost', async () => {
  const done = new Set<string>()
  const failed = new Set<string>()
  let kills = 0
  // Connections are killed until actions of every kind have run meanwhile, on slow machines too.
  const enough = () => kills >= 15 && done.size > 50 && failed.size > 10
  const addEntries = async (node: number) => {
    const id = crypto.randomUUID()
    const fails = Math.random() < 0.3
    try {
      await portal.nodes[node]!.db.transaction().execute(async (tx) => {
        const entry = { action: 'signed-out', accountId: id, actor: 'customer' } as const
        await Promise.all([addAuditEntry(tx, entry), addAuditEntry(tx, entry)])
        if (fails) throw new RolledBack()
      })
      done.add(id)
    } catch {
      if (fails) failed.add(id)
    }
  }
  const work = async (worker: number) => {
    while (!enough()) await addEntries(worker % 2)
  }
  const workers = Promise.all(Array.from({ length: 12 }, (_, worker) => work(worker)))
  while (!enough()) {
    const { rowCount } = await portal.owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null order by random() limit 1`,
    )
    kills += rowCount!
  }
  await workers
  const rows = await portal.rows(
    'select account_id, count(*)::int as n from audit where account_id = any($1) group by 1',
    [[...done, ...failed]],
  )
  expect(new Set(rows.map(({ account_id }) => account_id))).toEqual(done)
  expect(rows.filter(({ n }) => n !== 2)).toEqual([])
  expect(await brokenChains()).toEqual([])
  expect((await portal.db.transaction().execute((tx) => verified(tx))).findings).toEqual([])
})
