import { expect, test } from 'vitest'
import { openPortal } from '../../testing/open-portal.ts'
import { addCustomer } from '../../testing/samples/ready-customers.ts'
import { tidyUp } from './tidying.ts'
import { untilWaiting } from '../../testing/lock-waits.ts'

const portal = await openPortal()

test('OPS-7 REG-4 an account that is confirmed while the cleanup waits for its row is not removed', async () => {
  const { login } = await addCustomer(portal)
  await portal.owner.query(
    `update accounts set unconfirmed_key = email_key, email_key = null, login_key = null, created_at = portal_now() - interval '1 year' where login = $1`,
    [login],
  )
  await portal.owner.query('delete from links where account_id = (select id from accounts where login = $1)', [login])
  const confirming = await portal.owner.connect()
  await confirming.query('begin')
  await confirming.query(
    'update accounts set email_key = unconfirmed_key, login_key = login, unconfirmed_key = null where login = $1',
    [login],
  )
  const tidying = tidyUp(portal.portal)
  await untilWaiting(portal)
  await confirming.query('commit')
  confirming.release()
  await tidying
  expect((await portal.owner.query('select from accounts where login = $1', [login])).rowCount).toBe(1)
})
