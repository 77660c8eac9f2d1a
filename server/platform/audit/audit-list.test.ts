import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../testing/databases.ts'
import { connect } from '../database/database.ts'
import { entriesAfter, numbersWithin, positionBefore } from './audit-list.ts'

test('OPS-20 OPS-7 entries of a time are found without reading those before and after it', async () => {
  const { url, owner, drop } = await createDatabase()
  onTestFinished(drop)
  // One each minute, in the order of time but for each tenth.
  await owner.query(
    `insert into audit (id, chain, seq, at, act, actor, previous, mac) overriding system value
     select n, md5('')::uuid, n, timestamptz '2026-01-01Z' + make_interval(mins => n - case when n % 10 = 0 then 15 else 0 end), 'alarm-raised', 'system', '\\x00', '\\x00'
     from generate_series(1, 30000) n`,
  )
  const { db, close } = connect(url)
  onTestFinished(close)
  const all = { after: 0, end: 30_000 }
  const times = { since: '2026-01-10T00:00:00.000Z', until: '2026-01-10T01:00:00.000Z' }
  const { after, end } = await numbersWithin(db, times, all)
  expect(end - after).toBeLessThan(4000)
  const entries = await entriesAfter(db, times, { ...all, size: 1000 })
  const inHour = 'select id from audit where at >= $1 and at < $2 order by id'
  const { rows } = await owner.query<{ id: string }>(inHour, [times.since, times.until])
  expect(entries.map(({ position }) => position)).toEqual(rows.map(({ id }) => Number(id)))
  expect(rows.length).toBe(60)
  expect(await positionBefore(db, times, 30_000, 10)).toBe(Number(rows.at(-11)!.id))
  const [before, later] = ['2025-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z']
  expect(await numbersWithin(db, { since: before, until: later }, all)).toEqual(all)
  expect(await entriesAfter(db, { since: later }, { ...all, size: 10 })).toEqual([])
})
