import { expect, test } from 'vitest'
import {
  confirmActivation,
  deleteActivationSecret,
  deleteSealActivationSecret,
  getActivation,
  getActivationSecret,
  getSealActivation,
  getSealActivationSecret,
  putActivation,
} from '../../contract/provider/provider-activations.ts'
import { confirmSealPairing, startSealPairing } from '../../contract/seals.ts'
import { confirmPairing, startPairing } from '../../contract/signatures.ts'
import { fromBase32, totp } from '../../pki/totp.ts'
import { decryptHandedOver, shownSecret } from '../testing/samples/activation-samples.ts'
import { auditedActions } from '../testing/audit-entries.ts'
import { openBrowser } from '../testing/browser.ts'
import { manySends } from '../testing/open-portal.ts'
import { openPortalWithProvider } from '../testing/open-provider.ts'
import { now } from '../testing/portal-nodes.ts'
import { makeOwnerToPair } from '../testing/samples/sample-signatures.ts'
import { makeUserToPair } from '../testing/samples/sample-seals.ts'

/** The option with the portal's own secrets (APP-4). */

const { portal, provider } = await openPortalWithProvider({ nodes: 2, settings: manySends })
const api = openBrowser(portal)

async function makeOwner() {
  const { browser, id, signature } = await makeOwnerToPair(portal, provider)
  return {
    id,
    signature,
    show: async () => shownSecret((await browser.call(startPairing, { params: { id } })).body),
    enter: async (key: string) => {
      const code = totp(fromBase32(key)!, await now(portal.db))
      return browser.call(confirmPairing, { params: { id }, body: { code } })
    },
    state: async () => (await api.call(getActivation, { params: { signature } })).body,
    fetch: (secret: string) => api.call(getActivationSecret, { params: { signature, secret } }),
    acknowledge: (secret: string) => api.call(deleteActivationSecret, { params: { signature, secret } }),
  }
}

test('APP-4 R128 the provider fetches the secret of a paired app as a JWE for its key, acknowledges it, and the portal deletes it', async () => {
  const owner = await makeOwner()
  const { key } = await owner.show()
  // Nobody may ever use the secret of an app that has not proved to have it.
  expect((await owner.state()).secret).toBe(null)
  expect((await owner.enter(key)).status).toBe(200)
  const { secret: id } = await owner.state()
  const fetched = await owner.fetch(id!)
  expect(fetched.body.secret).toMatch(/^[\w-]+(?:\.[\w-]+){4}$/)
  expect(decryptHandedOver(fetched.body.secret)).toEqual({ id, secret: key, algorithm: 'SHA1', digits: 6, period: 30 })
  // The encryption is new each time, and nothing but the key decrypts it.
  const again = (await owner.fetch(id!)).body.secret
  expect(again).not.toBe(fetched.body.secret)
  expect(() => decryptHandedOver(again.replace(/.(?=[\w-]{5}$)/, (letter) => (letter === 'A' ? 'B' : 'A')))).toThrow()

  expect((await owner.acknowledge(id!)).status).toBe(204)
  expect((await owner.acknowledge(id!)).status).toBe(204)
  expect((await owner.fetch(id!)).problem.code).toBe('not-found')
  expect(await owner.state()).toMatchObject({ secret: null, pairedAt: expect.any(String) as string })
  const { rows } = await portal.owner.query(
    'select octet_length(secret) as bytes from pairings where signature_id = $1',
    [owner.id],
  )
  expect(rows).toEqual([{ bytes: 0 }])
  expect((await auditedActions(portal, { details: { signature: owner.id } })).slice(-5)).toEqual([
    'pairing-started',
    'pairing-confirmed',
    'activation-secret-read',
    'activation-secret-read',
    'activation-secret-removed',
  ])
})

test('APP-4 R128 a late acknowledgement does not delete the secret of the next phone', async () => {
  const owner = await makeOwner()
  const first = await owner.show()
  await owner.enter(first.key)
  const { secret: old } = await owner.state()
  const second = await owner.show()
  expect((await owner.fetch(old!)).problem.code).toBe('not-found')
  await portal.clock.advance(31)
  expect((await owner.enter(second.key)).status).toBe(200)
  expect((await owner.acknowledge(old!)).status).toBe(204)
  const { secret: current } = await owner.state()
  expect(decryptHandedOver((await owner.fetch(current!)).body.secret).secret).toBe(second.key)
  await portal.clock.advance(0)
})

test('APP-4 SEA-1 the secret of a user of a seal is fetched in the same way', async () => {
  const { browser, seal } = await makeUserToPair(portal, provider)
  const { key, uri } = shownSecret((await browser.call(startSealPairing, { params: { id: seal.id } })).body)
  expect(decodeURIComponent(uri)).toContain(':Małgorzata Wiśniewska – pieczęć Stowarzyszenie Łączność – ')
  const code = totp(fromBase32(key)!, await now(portal.db))
  await browser.call(confirmSealPairing, { params: { id: seal.id }, body: { code } })
  const user = { seal: seal.providerId, user: seal.users[0]!.providerId }
  const { secret } = (await api.call(getSealActivation, { params: user })).body
  const params = { ...user, secret: secret! }
  expect(decryptHandedOver((await api.call(getSealActivationSecret, { params })).body.secret).secret).toBe(key)
  expect((await api.call(deleteSealActivationSecret, { params })).status).toBe(204)
  expect((await api.call(getSealActivation, { params: user })).body.secret).toBe(null)
})

test('APP-4 a secret can be deleted after the option has changed, too', async () => {
  const owner = await makeOwner()
  await owner.enter((await owner.show()).key)
  const { secret } = await owner.state()
  const { appActivation } = portal.portal.ports
  portal.portal.ports.appActivation = { by: 'provider' }
  try {
    expect((await owner.acknowledge(secret!)).status).toBe(204)
  } finally {
    portal.portal.ports.appActivation = appActivation
  }
  expect((await owner.state()).secret).toBe(null)
})

test('APP-1 with secrets of the portal, the provider can neither give content nor confirm an app', async () => {
  const { signature } = await makeOwner()
  const body = { content: 'signapp://a', code: null, expiresAt: new Date(Date.now() + 60_000).toISOString() }
  expect((await api.call(putActivation, { params: { signature }, body })).problem.code).toBe('pairing-not-possible')
  expect((await api.call(confirmActivation, { params: { signature } })).problem.code).toBe('pairing-not-possible')
})

test('R128 R83 the secret is in no event, audit entry, message or log of the database, in any form', async () => {
  const owner = await makeOwner()
  const { key } = await owner.show()
  await owner.enter(key)
  const { secret: id } = await owner.state()
  await owner.fetch(id!)
  const bytes = Buffer.from(fromBase32(key)!)
  const { rows } = await portal.owner.query<{ all: string }>(
    `select concat_ws(' ', (select string_agg(t::text, ' ') from pairings t), (select string_agg(t::text, ' ') from audit t),
      (select string_agg(t::text, ' ') from events t), (select string_agg(t::text, ' ') from outbox t), (select string_agg(t::text, ' ') from idempotency t)) as all`,
  )
  expect(rows[0]!.all).toContain(owner.id)
  for (const form of [key, bytes.toString('hex'), bytes.toString('base64'), Buffer.from(key).toString('hex')])
    expect(rows[0]!.all).not.toContain(form)
})
