import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '../contract/account.ts'
import { openHead, readHead, signHead, type Head } from './audit-head.ts'
import { verifyTrail, type Finding } from './audit-verify.ts'
import { record } from './audit.ts'
import { openDatabase, type Tx } from './db.ts'
import { exhaustive } from './testing/breadth.ts'
import { openPortal } from './testing/open-portal.ts'
import { makeCustomer, openBrowser } from './testing/browser.ts'

type Place = { chain: string; seq: number }

let folder: string
/** Oldest first; the newest lies in the folder. */
const heads: Head[] = []
/** What the newest head knows, by chain and place. */
let known: Place[]

const portal = await openPortal({ nodes: 2 })
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sygnet-audit-'))
  for (let round = 0; round < 3; round++) {
    await Promise.all(Array.from({ length: 16 }, (_, worker) => recordSome(worker % 2, round ? 2 : 5)))
    heads.push(openHead(portal.portal.keys, await signHead(portal.db, portal.portal.keys, folder)))
  }
  known = heads.at(-1)!.ends.flatMap(([chain, length]) => Array.from({ length }, (_, i) => ({ chain, seq: i + 1 })))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
})

async function recordSome(node: number, count: number) {
  for (let n = 0; n < count; n++)
    await portal.nodes[node]!.db.transaction().execute((tx) =>
      record(tx, {
        act: 'code-refused',
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

class Undone extends Error {}

/** What a verifier finds after the owner of the database has done something, which is then undone. */
async function afterTampering(tamper: (tx: Tx) => Promise<unknown>, compared: { known?: Head[]; now?: Head } = {}) {
  let findings: Finding[] = []
  await portal.db
    .transaction()
    .execute(async (tx) => {
      await sql`set local role none`.execute(tx)
      await tamper(tx)
      findings = (await verified(tx, compared)).findings
      throw new Undone()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })
  return findings
}

const names = (findings: Finding[], { chain, seq }: Place) =>
  findings.some((finding) => finding.chain === chain && finding.from <= seq && seq <= finding.to)

const lengthOf = (chain: string) => known.filter((place) => place.chain === chain).length

/** Ways to change one record, each to another value than it had. */
const changes = {
  act: sql`act = act || 'x'`,
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

/** What the record of a place says, taken from that of another. */
const say = (tx: Tx, into: Place, from: Place) =>
  sql`
  update audit t set (at, act, account_id, actor, address, details, previous, mac) =
    (select at, act, account_id, actor, address, details, previous, mac from before s where s.chain = ${from.chain} and s.seq = ${from.seq})
  where t.chain = ${into.chain} and t.seq = ${into.seq}`.execute(tx)

/** One act of the owner's: what it does, and the places that must be named. */
const tamperings: { [kind: string]: (tx: Tx, one: Place, other: Place, size: number) => Promise<Place[]> } = {
  async change(tx, one, _, size) {
    const change = Object.values(changes)[size % Object.keys(changes).length]!
    await sql`update audit set ${change} where chain = ${one.chain} and seq = ${one.seq}`.execute(tx)
    return [one]
  },
  async remove(tx, one, _, size) {
    const to = Math.min(one.seq + (size % 4), lengthOf(one.chain))
    await sql`delete from audit where chain = ${one.chain} and seq between ${one.seq} and ${to}`.execute(tx)
    return [one, { chain: one.chain, seq: to }]
  },
  async 'swap what they say'(tx, one, other) {
    await sql`create temp table before on commit drop as table audit`.execute(tx)
    await say(tx, one, other)
    await say(tx, other, one)
    return [one, other]
  },
  async 'swap their places'(tx, one, other) {
    await sql`alter table audit drop constraint audit_place`.execute(tx)
    await sql`
      update audit t set chain = s.chain, seq = s.seq
      from (values (${one.chain}::uuid, ${one.seq}::bigint, ${other.chain}::uuid, ${other.seq}::bigint),
        (${other.chain}, ${other.seq}, ${one.chain}, ${one.seq})) s (old_chain, old_seq, chain, seq)
      where t.chain = s.old_chain and t.seq = s.old_seq`.execute(tx)
    return [one, other]
  },
  async 'append a copy'(tx, one, other) {
    const { rows } = await sql<{ seq: string }>`
      insert into audit (chain, seq, id, at, act, account_id, actor, address, details, previous, mac) overriding system value
      select ${other.chain}, (select max(seq) + 1 from audit where chain = ${other.chain}), nextval('audit_id_seq'), at, act, account_id, actor,
        address, details, (select mac from audit where chain = ${other.chain} order by seq desc limit 1), mac
      from audit where chain = ${one.chain} and seq = ${one.seq} returning seq`.execute(tx)
    return [{ chain: other.chain, seq: Number(rows[0]!.seq) }]
  },
  async 'add a chain'(tx, _, __, size) {
    const chain = size % 2 ? crypto.randomUUID() : '00000000-0000-0000-0000-000000000000'
    // What anybody can compute who has read how records from before are chained.
    await sql`
      insert into audit (chain, seq, id, act, actor, previous, mac) overriding system value
      select ${chain}, 1, id, 'signed-out', 'customer', '', sha256(convert_to(jsonb_build_array(${chain}::uuid, 1, id,
        portal_now() at time zone 'UTC', 'signed-out', null, 'customer', null, '{}'::jsonb)::text, 'UTF8'))
      from nextval('audit_id_seq') id`.execute(tx)
    return [{ chain, seq: 1 }]
  },
  async 'double one in its place'(tx, one) {
    await sql`alter table audit drop constraint audit_place`.execute(tx)
    await sql`insert into audit overriding system value select * from audit where chain = ${one.chain} and seq = ${one.seq}`.execute(
      tx,
    )
    return [one]
  },
  async truncate(tx, one) {
    await sql`delete from audit where chain = ${one.chain} and seq >= ${one.seq}`.execute(tx)
    return [one, { chain: one.chain, seq: lengthOf(one.chain) }]
  },
  async 'truncate all'(tx, one, other) {
    await sql`truncate audit`.execute(tx)
    return [one, other]
  },
  async 'remove and close the gap'(tx, one) {
    await sql`alter table audit drop constraint audit_place`.execute(tx)
    await sql`delete from audit where chain = ${one.chain} and seq = ${one.seq}`.execute(tx)
    await sql`update audit set seq = seq - 1 where chain = ${one.chain} and seq > ${one.seq}`.execute(tx)
    return [one, { chain: one.chain, seq: lengthOf(one.chain) }]
  },
  async renumber(tx, one, _, size) {
    await sql`alter table audit drop constraint audit_place`.execute(tx)
    await sql`update audit set seq = seq + ${size} where chain = ${one.chain} and seq >= ${one.seq}`.execute(tx)
    return [one, { chain: one.chain, seq: one.seq + size }]
  },
}

test('OPS-5 R84 an untouched trail of several chains verifies clean', async () => {
  const { findings, records, chains } = await portal.db.transaction().execute((tx) => verified(tx, { known: heads }))
  expect(findings).toEqual([])
  expect(chains).toBeGreaterThan(3)
  expect(records).toBe(16 * (5 + 2 + 2) + heads.length)
})

test('OPS-5 R84 every one of many tamperings by the owner of the database is found and named by its place', async () => {
  const places = fc.constantFrom(...known)
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(tamperings)),
      places,
      places,
      fc.integer({ min: 1, max: 60 }),
      async (kind, one, other, size) => {
        fc.pre(one !== other)
        let touched: Place[] = []
        const findings = await afterTampering(async (tx) => (touched = await tamperings[kind]!(tx, one, other, size)))
        expect(touched.filter((place) => !names(findings, place))).toEqual([])
      },
    ),
    { numRuns: exhaustive ? 1000 : 150 },
  )
})

test.each(Object.entries(changes))(
  'OPS-5 R84 a change of one record is found and named alone: %s',
  async (what, change) => {
    const one = known.find(({ seq }) => seq === 3)!
    const findings = await afterTampering((tx) =>
      sql`update audit set ${change} where chain = ${one.chain} and seq = ${one.seq}`.execute(tx),
    )
    expect(findings).toContainEqual({ chain: one.chain, from: 3, to: 3, what: 'changed' })
    // The record after one whose MAC was changed no longer follows it.
    expect(findings.filter(({ from }) => from !== 3).map(({ from }) => from)).toEqual(/mac/.test(what) ? [4] : [])
  },
)

test('OPS-5 R84 an older head that is put back is found, and named by the record that tells of the newer one', async () => {
  for (const old of heads.slice(0, -1)) {
    const findings = await afterTampering(async () => {}, { known: [old], now: old })
    expect(findings.map(({ what }) => what)).toEqual(['head replaced'])
    const { rows } = await portal.owner.query<{ ordinal: number }>(
      `select (details->>'ordinal')::int as ordinal from audit where chain = $1 and seq = $2`,
      [findings[0]!.chain, findings[0]!.from],
    )
    expect(rows).toEqual([{ ordinal: heads.length }])
  }
})

test('OPS-5 R84 with the trail cut back to an older head that is put back, a head kept elsewhere tells', async () => {
  const old = heads[0]!
  const cutBack = (tx: Tx) =>
    sql`
    delete from audit where not exists (
      select from jsonb_array_elements(${JSON.stringify(old.ends)}::jsonb) one
      where (one->>0)::uuid = chain and seq <= (one->>1)::bigint)`.execute(tx)
  expect(await afterTampering(cutBack, { known: [old], now: old })).toEqual([])
  const findings = await afterTampering(cutBack, { known: [old, heads.at(-1)!], now: old })
  for (const place of known)
    if (!old.ends.some(([chain, length]) => chain === place.chain && place.seq <= length))
      expect(names(findings, place)).toBe(true)
})

test('OPS-5 R84 the role of the requests can only add records, and what it adds without the key is found', async () => {
  const { rows } = await portal.owner.query(
    `select string_agg(right_, ',' order by right_) as rights
     from unnest(array['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN']) right_
     where has_table_privilege('sygnet_app', 'audit', right_)`,
  )
  expect(rows).toEqual([{ rights: 'INSERT' }])
  // All that the portal has but its key: a chain that is whole in itself.
  const forger = openDatabase(portal.owner.options.connectionString!, { auditKey: randomBytes(32), connections: 1 })
  for (let n = 0; n < 2; n++)
    await forger.db.transaction().execute((tx) => record(tx, { act: 'signed-out', accountId: null, actor: 'system' }))
  await forger.close()
  const { findings } = await portal.db.transaction().execute((tx) => verified(tx))
  const { chain } = findings[0]!
  expect(findings).toEqual([1, 2].map((seq) => ({ chain, from: seq, to: seq, what: 'changed' })))
  await portal.owner.query('delete from audit where chain = $1', [chain])
})

/** What SQL alone says of the chains: none has a gap, a fork or another beginning than one. */
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
      await recordSome(worker % 2, 3)
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

test('OPS-5 R85 acts that fail and killed connections leave no gap and no fork, and lose no act that was answered', async () => {
  const done = new Set<string>()
  const failed = new Set<string>()
  let kills = 0
  // The killing goes on until acts of every kind have happened under it, however slow the machine is.
  const enough = () => kills >= (exhaustive ? 50 : 15) && done.size > 50 && failed.size > 10
  const act = async (node: number) => {
    const id = crypto.randomUUID()
    const fails = Math.random() < 0.3
    try {
      await portal.nodes[node]!.db.transaction().execute(async (tx) => {
        const one = { act: 'signed-out', accountId: id, actor: 'customer' } as const
        await Promise.all([record(tx, one), record(tx, one)])
        if (fails) throw new Undone()
      })
      done.add(id)
    } catch {
      if (fails) failed.add(id)
    }
  }
  const work = async (worker: number) => {
    while (!enough()) await act(worker % 2)
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
  const { rows } = await portal.owner.query<{ account_id: string; n: number }>(
    'select account_id, count(*)::int as n from audit where account_id = any($1) group by 1',
    [[...done, ...failed]],
  )
  expect(new Set(rows.map(({ account_id }) => account_id))).toEqual(done)
  expect(rows.filter(({ n }) => n !== 2)).toEqual([])
  expect(await brokenChains()).toEqual([])
  expect((await portal.db.transaction().execute((tx) => verified(tx))).findings).toEqual([])
})
