import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { getCustomer } from '../../../contract/provider/provider-customers.ts'
import { getSignature } from '../../../contract/provider/provider-signatures.ts'
import {
  downloadSignatureAgreement,
  downloadSignatureCertificate,
  listSignatures,
  startSignaturePairing,
} from '../../../contract/signatures.ts'
import { startStepUp } from '../../../contract/step-up.ts'
import { openBrowser } from '../../testing/browser.ts'
import { openPortalWithProvider } from '../../testing/open-portal.ts'
import { pdfWith } from '../../testing/provider.ts'
import { shownSecret } from '../../testing/samples/activation-samples.ts'
import { dumpDatabase, readFiles, findIn } from '../../testing/samples/canaries.ts'
import { makeCustomer, passPassword, signInAs, stepUp } from '../../testing/test-customers.ts'

const { portal, provider } = await openPortalWithProvider()

/** Draws ten digits that no time, id or other number has. */
const draw = () => `7${String(randomInt(10 ** 9)).padStart(9, '0')}`

async function makeOwner() {
  const person = await makeCustomer(portal, { phone: `+48${draw().slice(0, 9)}` })
  const number = `${draw()}7`
  const { id, providerId } = await provider.give(person, { subject: { serialNumber: `PNOPL-${number}` } })
  const paper = `%PDF-1.7 ${crypto.randomUUID()}`
  await provider.putAgreement(providerId, new Uint8Array(pdfWith(paper)))
  return { person, number, id, providerId, paper }
}

const documents = () =>
  readdirSync(portal.documentsFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
    .join('\n')

test('R83 no number, phone or document is found in the database or the store, in any encoding, while their owner can read all of them', async () => {
  const { person, number, id, providerId, paper } = await makeOwner()
  const browser = await signInAs(portal, person)
  await stepUp(portal, browser, person, 'pair-app', id)
  const { body: pairing } = await browser.call(startSignaturePairing, { params: { id } })
  // A waiting message is stored too.
  await browser.call(startStepUp, { body: { purpose: 'pair-app', object: id } })

  const { phone } = person
  const stored = {
    dump: await dumpDatabase(portal.owner),
    files: await readFiles(portal.owner),
    documents: documents(),
  }
  expect(stored.dump.length).toBeGreaterThan(10_000)
  // Plain text is found: the search works.
  for (const text of [stored.dump, stored.files]) expect(findIn(text, person.email)).not.toEqual([])
  const canaries = { number, phone, national: phone.slice(3), paper, 'key of the app': shownSecret(pairing).key }
  for (const [what, canary] of Object.entries(canaries))
    for (const [name, text] of Object.entries(stored))
      expect([what, name, findIn(text, canary)]).toEqual([what, name, []])

  const listed = await browser.call(listSignatures)
  expect(listed.body.items[0]!.identifier).toMatchObject({ value: number })
  const der = await browser.raw('GET', downloadSignatureCertificate.path.replace(':id', id).replace(':format', 'der'))
  expect(findIn(Buffer.from(await der.arrayBuffer()).toString('latin1'), number)).not.toEqual([])
  const file = await browser.raw('GET', downloadSignatureAgreement.path.replace(':id', id))
  expect(await file.text()).toContain(paper)
  const known = await openBrowser(portal).call(getCustomer, { params: { customer: person.id } })
  expect(known.body.phone).toBe(phone)
  const filed = await openBrowser(portal).call(getSignature, { params: { signature: providerId } })
  expect(findIn(Buffer.from(filed.body.certificate, 'base64').toString('latin1'), number)).not.toEqual([])
})

/** Puts the values of one row into another's and back, as the owner of the database can. */
async function swap([table, column, key, pair]: readonly [string, string, string, readonly [string, string]]) {
  const { rowCount } = await portal.owner.query(
    `update ${table} a set ${column} = b.${column} from ${table} b
     where a.${key} = any($1) and b.${key} = any($1) and a.${key} <> b.${key}`,
    [pair],
  )
  expect(rowCount).toBe(2)
}

test('R83 a phone that was moved to another account gets no code', async () => {
  const [anna, jan] = [await makeOwner(), await makeOwner()]
  const texts = portal.texts.length
  const move = () => swap(['accounts', 'phone', 'provider_id', [anna.person.id, jan.person.id]])
  await move()
  for (const { person } of [anna, jan]) expect((await passPassword(portal, person)).answer.status).toBe(500)
  expect(portal.texts.length).toBe(texts)
  await move()
  expect((await passPassword(portal, anna.person)).answer.status).toBe(200)
})

test('R83 a number, a certificate and an agreement that were moved to another signature are not shown', async () => {
  const owners = [await makeOwner(), await makeOwner()] as const
  const browsers = await Promise.all(owners.map(({ person }) => signInAs(portal, person)))
  const ids = [owners[0].id, owners[1].id] as const
  const agreements = 'select agreement_key as key from signatures where id = any($1)'
  const { rows } = await portal.owner.query<{ key: string }>(agreements, [ids])
  const documentKeys = rows.map(({ key }) => key) as [string, string]
  const path = (endpoint: { path: string }, id: string) =>
    endpoint.path.replace(':id', id).replace(':format', 'der').split('?')[0]!
  for (const { endpoint, columns } of [
    { endpoint: listSignatures, columns: ['signatures', 'identifier_value', 'id', ids] },
    { endpoint: downloadSignatureCertificate, columns: ['signatures', 'certificates', 'id', ids] },
    { endpoint: downloadSignatureAgreement, columns: ['document_keys', 'encrypted', 'document', documentKeys] },
  ] as const) {
    const statuses = () =>
      Promise.all(browsers.map(async (browser, i) => (await browser.raw('GET', path(endpoint, ids[i]!))).status))
    expect([endpoint.path, await statuses()]).toEqual([endpoint.path, [200, 200]])
    await swap(columns)
    expect([endpoint.path, await statuses()]).toEqual([endpoint.path, [500, 500]])
    await swap(columns)
    expect([endpoint.path, await statuses()]).toEqual([endpoint.path, [200, 200]])
  }
})

test('SIG-1 R83 each signature of a list shows its own number, whether or not its neighbour has the same', async () => {
  const person = await makeCustomer(portal)
  const numbers = ['72103187659', '44051401458']
  const given = [0, 0, 1, 0, 1, 1].map((which) => numbers[which]!)
  for (const [day, number] of given.entries())
    await provider.give(person, {
      subject: { serialNumber: `PNOPL-${number}` },
      to: new Date(Date.now() + (day + 2) * 86_400_000),
    })
  const browser = await signInAs(portal, person)
  for (const [sort, order] of [
    ['ends-first', given],
    ['ends-last', given.toReversed()],
  ] as const) {
    const { body } = await browser.call(listSignatures, { query: { sort } })
    expect(body.items.map(({ identifier }) => identifier.value)).toEqual(order)
  }
})
