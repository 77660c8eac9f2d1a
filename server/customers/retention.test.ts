import { expect, test } from 'vitest'
import { tidyUp } from '../platform/operations/tidying.ts'
import { openPortal } from '../testing/open-portal.ts'
import { now } from '../testing/portal-nodes.ts'
import { makeCustomer } from '../testing/browser.ts'
import { accountIdOf } from '../testing/database-state.ts'

const portal = await openPortal()

const hour = 3600
const day = 24 * hour

/** A row of the account `$1` that ends, or was made, at `$2`, and for how many seconds it is kept from then on. */
const passing: { what: string; insert: string; where: string; kept: number }[] = [
  {
    what: 'a session that has ended',
    insert: `insert into sessions (token_hash, account_id, stage, ends_at, absolute_ends_at) values ('old', $1, 'signed-in', $2, $2)`,
    where: `sessions where token_hash = 'old'`,
    kept: day,
  },
  {
    what: 'an expired code of a live session',
    insert: `with one as (insert into sessions (token_hash, account_id, stage, ends_at, absolute_ends_at)
        values ('new', $1, 'signed-in', $2::timestamptz + interval '1 year', $2::timestamptz + interval '1 year') returning id)
      insert into codes (account_id, session_id, purpose, object, code_mac, expires_at) select $1, id, 'sign-in', id, 'x', $2 from one`,
    where: `codes`,
    kept: day,
  },
  {
    what: 'a device that was not seen again',
    insert: `insert into devices (token_hash, account_id, expires_at) values ('old', $1, $2)`,
    where: `devices where token_hash = 'old'`,
    kept: 0,
  },
  {
    what: 'a link of a mail',
    insert: `insert into links (token_hash, account_id, purpose, expires_at) values ('old', $1, 'reset', $2)`,
    where: `links where token_hash = 'old'`,
    kept: 30 * day,
  },
  {
    what: 'a count of tries',
    insert: `insert into rate_limits (name, key, spent, forget_at) select 'old', 'x', '{}', $2 where $1::uuid is not null`,
    where: `rate_limits where name = 'old'`,
    kept: 0,
  },
  {
    what: 'a stored answer to a request',
    insert: `insert into idempotency (caller, key, request_hash, created_at) values ($1, 'old', 'x', $2)`,
    where: `idempotency where key = 'old'`,
    kept: day,
  },
  ...(
    [
      ['sent', 7 * day],
      ['expired', 7 * day],
      ['dead', 30 * day],
    ] as const
  ).map(([outcome, kept]) => ({
    what: `a message that is ${outcome}`,
    insert: `insert into outbox (channel, message, outcome, created_at) select 'mail', '', '${outcome}', $2 where $1::uuid is not null`,
    where: `outbox where outcome = '${outcome}'`,
    kept,
  })),
]

test('R87 expired rows are removed when their period ends, to the second, and not before', async () => {
  const account = await accountIdOf(portal, await makeCustomer(portal))
  // Only rows that this test inserts count.
  await portal.owner.query('delete from outbox')
  await portal.owner.query('delete from codes')
  const start = await now(portal.db)
  const at = (seconds: number) => portal.clock.stopAt(new Date(start.getTime() + seconds * 1000))
  await at(0)
  for (const { insert } of passing) await portal.owner.query(insert, [account, start])
  const left = async () => {
    const there: string[] = []
    for (const { what, where } of passing)
      if ((await portal.owner.query(`select from ${where}`)).rowCount === 1) there.push(what)
    return there
  }
  const times = [...new Set(passing.map(({ kept }) => kept))].toSorted((a, b) => a - b)
  for (const time of times)
    for (const seconds of [time, time + 1]) {
      await at(seconds)
      await tidyUp(portal.portal)
      const expected = passing.filter(({ kept }) => kept >= seconds).map(({ what }) => what)
      expect([seconds, await left()]).toEqual([seconds, expected])
    }
})

test('R87 more than one batch of expired rows is removed at once, so that a busy portal does not grow', async () => {
  const { owner, db } = portal
  await portal.clock.stopAt(await now(db))
  await owner.query(
    `insert into rate_limits (name, key, spent, forget_at)
     select 'many', convert_to(n::text, 'UTF8'), '{}', portal_now() - interval '1 second' from generate_series(1, 2500) n`,
  )
  await tidyUp(portal.portal)
  expect((await owner.query(`select from rate_limits where name = 'many'`)).rowCount).toBe(0)
})
