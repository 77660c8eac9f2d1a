import { expect, test } from 'vitest'
import { features } from '../features.ts'
import { tidyUp } from '../platform/operations/tidying.ts'
import { openCalls } from '../testing/calls.ts'
import { manySends, openPortal } from '../testing/open-portal.ts'
import { pretendManyRows, recordStatements, findWholeReads } from '../testing/statement-plans.ts'

const portal = await openPortal({ settings: manySends })

test('OPS-7 no statement of a request or a job reads a table or an index that grows from end to end', async () => {
  const calls = await openCalls(portal)
  const texts = await recordStatements(async (doing) => {
    for (const endpoint of portal.app.endpoints) {
      doing(`${endpoint.method} ${endpoint.path}`)
      await calls.send(endpoint, {})
      const { path } = await calls.fill(endpoint)
      if (endpoint.query) await calls.send(endpoint, { path: path.replace(/\?.*/, '') })
    }
    doing('tidy')
    await tidyUp(portal.portal)
    for (const { name, run } of features.flatMap(({ jobs = [] }) => jobs)) {
      doing(name)
      await run(portal.portal, (error) => expect.fail(String(error)))
    }
  })

  await portal.owner.query(
    `insert into data_exports (id, account_id, locale) select gen_random_uuid(), id, 'pl' from accounts limit 1`,
  )
  const client = await portal.owner.connect()
  await client.query('set enable_seqscan = off')
  await pretendManyRows(client)
  const found: Record<string, string> = {}
  let explained = 0
  for (const [text, name] of texts) {
    if (!/^\s*(?:select|insert|update|delete|with|merge)\b/.test(text)) continue
    explained += 1
    for (const read of await findWholeReads(client, text)) found[read] ??= `${name}: ${text}`
  }
  client.release(true)
  expect(explained).toBeGreaterThan(200)
  expect(found).toEqual({
    // A counter, and the secrets of the provider's webhooks: a few rows.
    'table event_feed': expect.any(String),
    'table webhook_secrets': expect.any(String),
    // Each run reads the seals of the next sixty days, which are few next to the signatures.
    'index seal_administrators': expect.stringMatching(/^remind-of-seal-ends:/),
  })
})

test('OPS-7 every reference between tables has an index, by which a row that goes is checked', async () => {
  const rows = await portal.rows(
    `select format('%s.%s', conrelid::regclass, attname) as reference
     from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where contype = 'f' and connamespace = 'public'::regnamespace and not exists (
       select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1]
         and (indpred is null or pg_get_expr(indpred, indrelid) = format('(%I IS NOT NULL)', attname)))`,
  )
  // Wordings are never removed.
  expect(rows).toEqual([{ reference: 'consents.wording_sha256' }])
})
