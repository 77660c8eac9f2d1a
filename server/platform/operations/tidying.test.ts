import { expect, test } from 'vitest'
import { countRows } from '../../testing/database-state.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { addCustomer } from '../../testing/samples/ready-customers.ts'
import { tidyUp } from './tidying.ts'
import { untilWaiting } from '../../testing/concurrency.ts'

const portal = await openPortal()

test('OPS-7 REG-4 an account that is confirmed while the cleanup waits for its row is not removed', async () => {
  const { login } = await addCustomer(portal)
  const unconfirm = `unconfirmed_key = email_key, email_key = null, login_key = null, created_at = portal_now() - interval '1 year'`
  await portal.owner.query(`update accounts set ${unconfirm} where login = $1`, [login])
  await portal.owner.query('delete from links where account_id = (select id from accounts where login = $1)', [login])
  const confirming = await portal.owner.connect()
  await confirming.query('begin')
  const confirm = 'email_key = unconfirmed_key, login_key = login, unconfirmed_key = null'
  await confirming.query(`update accounts set ${confirm} where login = $1`, [login])
  const tidying = tidyUp(portal.portal)
  await untilWaiting(portal)
  await confirming.query('commit')
  confirming.release()
  await tidying
  expect(await countRows(portal, 'accounts where login = $1', login)).toBe(1)
})
