import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  finishDocumentSigning,
  listDocuments,
  listDocumentSigners,
  startDocumentSigning,
} from '../../contract/documents.ts'
import { confirmFileSigning, listFileSigners, signFiles, startFileSigning } from '../../contract/file-signing.ts'
import { refuseStatusRequest } from '../../contract/provider/provider-status-requests.ts'
import { openRenewal, readRenewability, signAgreement } from '../../contract/renewal.ts'
import { confirmSealPairing, listSeals, startSealPairing } from '../../contract/seals.ts'
import { confirmSignaturePairing, listSignatures, startSignaturePairing } from '../../contract/signatures.ts'
import { requestRevocation, requestSuspension } from '../../contract/status-requests.ts'
import { fromBase32, totp } from '../../pki/totp.ts'
import { bodyOf, openBrowser, type TestBrowser } from '../testing/browser.ts'
import { openPortalWithRenewals } from '../testing/open-portal.ts'
import { now } from '../testing/portal-nodes.ts'
import { shownSecret } from '../testing/samples/activation-samples.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { downloadFile, giveDocument } from '../testing/samples/sample-documents.ts'
import {
  renewUntilAgreement,
  at,
  readCodeFor,
  read,
  shownOf,
  signAgreementByCode,
} from '../testing/samples/sample-renewals.ts'
import { insertStepUp, makeSeal } from '../testing/samples/sample-seals.ts'
import { smsCode } from '../testing/sent-messages.ts'
import type { Person } from '../testing/test-customers.ts'

// No authority answers, so a request waits for people.
const setup = await openPortalWithRenewals()
const { portal, provider, service } = setup

type Owner = { person: Person; browser: TestBrowser }

/** Requests that a certificate is suspended, or revoked; returns how the provider refuses that. */
async function stop({ person, browser }: Owner, id: string, change: 'suspend' | 'revoke' = 'suspend') {
  await insertStepUp(portal, person, change, id)
  const params = { id }
  const { status, body } =
    change === 'suspend'
      ? await browser.call(requestSuspension, { params, body: { reason: 'compromised' } })
      : await browser.call(requestRevocation, { params, body: { reason: 'compromised', confirmation: 'REVOKE' } })
  expect(status).toBe(200)
  return async () => {
    const refusal = { params: { request: body.id }, body: { note: null } }
    expect((await openBrowser(portal).call(refuseStatusRequest, refusal)).status).toBe(200)
  }
}

const refusedRenewal = { code: 'renewal-refused', reason: 'CERT_REVOKED' }

test('STP-8 R224 a certificate whose suspension is requested is not renewed: neither is a renewal opened nor its agreement signed', async () => {
  const renewing = await setup.makeRenewable()
  const { browser, person } = renewing
  const other = await setup.makeRenewableOf(person)
  const ready = await renewUntilAgreement(setup, renewing)
  const code = await readCodeFor(setup, renewing, ready)
  const before = service.orders.length
  const refuse = await stop(renewing, renewing.signature.id)
  await stop(renewing, other.signature.id, 'revoke')
  const sign = () => browser.call(signAgreement, { params: at(ready), body: { ...shownOf(ready), code } })
  expect((await sign()).problem).toMatchObject(refusedRenewal)
  expect((await read(browser, ready)).stops).toEqual(['CERT_REVOKED'])
  const { body } = await browser.call(readRenewability, { params: { id: other.signature.id } })
  expect(body.reasons).toEqual(['CERT_REVOKED'])
  expect((await browser.call(openRenewal, { body: { code: other.code } })).problem).toMatchObject(refusedRenewal)
  await portal.deliver()
  expect(service.orders.length).toBe(before)

  await refuse()
  expect((await sign()).body.state).toBe('authorised')
})

test('STP-8 R224 an agreement that waits for the service is not signed after such a request', async () => {
  const renewing = await setup.makeRenewable()
  const { browser, signature } = renewing
  const ready = await renewUntilAgreement(setup, renewing)
  const code = await readCodeFor(setup, renewing, ready)
  service.failure = 'unreachable'
  await browser.call(signAgreement, { params: at(ready), body: { ...shownOf(ready), code } })
  await portal.deliver()
  expect((await read(browser, ready)).state).toBe('authorised')
  const refuse = await stop(renewing, signature.id)
  const before = service.orders.length
  delete service.failure
  await setup.advance(5)
  await portal.deliver()
  const waiting = await read(browser, ready)
  expect(waiting).toMatchObject({ state: 'signing', hasSigningFailed: true, stops: ['CERT_REVOKED'] })
  expect(service.orders.length).toBe(before)
  await refuse()
  expect((await signAgreementByCode(setup, renewing, waiting)).state).toBe('signed')
})

test('STP-8 R224 SGN-20 DOC-9 a certificate whose suspension is requested signs no document and no files, also after their code was sent', async () => {
  const renewing = await setup.makeRenewable()
  const { browser, person, signature } = renewing
  const { documentCase } = await giveDocument(portal, person.id, { signer: 'PNOPL-44051401458' })
  await downloadFile(browser, documentCase)
  const document = { params: { id: documentCase } }
  const files = { body: { signer: signature.id, digests: [randomBytes(32).toString('base64')] } }
  const codeOf = async (sending: Promise<{ status: number; body: unknown; problem: unknown }>) => {
    bodyOf(await sending)
    await portal.deliver()
    return { code: smsCode(portal, person.phone) }
  }
  const start = () => browser.call(startDocumentSigning, { ...document, body: { signer: signature.id } })
  const documentCode = await codeOf(start())
  const begun = browser.call(startFileSigning, files)
  const fileCode = await codeOf(begun)
  const { signing } = (await begun).body
  // Another one is confirmed, and only has to be signed.
  const later = browser.call(startFileSigning, {
    body: { ...files.body, digests: [randomBytes(32).toString('base64')] },
  })
  const laterCode = await codeOf(later)
  const confirmed = { params: { id: (await later).body.signing.id } }
  expect((await browser.call(confirmFileSigning, { ...confirmed, body: laterCode })).body.state).toBe('confirmed')
  const before = service.orders.length

  const refuse = await stop(renewing, signature.id)
  expect((await browser.call(finishDocumentSigning, { ...document, body: documentCode })).problem.code).toBe(
    'signing-changed',
  )
  const entered = await browser.call(confirmFileSigning, { params: { id: signing.id }, body: fileCode })
  expect(entered.problem.code).toBe('signing-changed')
  expect((await browser.call(signFiles, confirmed)).problem.code).toBe('signing-changed')
  expect((await start()).problem.code).toBe('signer-unknown')
  expect((await browser.call(startFileSigning, files)).problem.code).toBe('signer-unknown')
  expect((await browser.call(listDocumentSigners, document)).body.signers).toEqual([])
  expect((await browser.call(listFileSigners)).body).toMatchObject({
    signers: [],
    unusable: [{ id: signature.id, reason: 'stopping' }],
  })
  const signHere = async () => (await browser.call(listDocuments, {})).body.items[0]!.signHere
  expect(await signHere()).toBe(false)
  expect(service.orders.length).toBe(before)

  await refuse()
  expect(await signHere()).toBe(true)
  expect((await browser.call(signFiles, confirmed)).body.state).toBe('signed')
})

test('STP-8 R224 SIG-3 SEA-1 a certificate whose suspension is requested pairs no app, also after its code was shown', async () => {
  const renewing = await setup.makeRenewable()
  const other = await addCustomer(portal)
  const seal = await makeSeal(portal, provider, [
    { person: renewing.person, role: 'admin', status: 'active' },
    { person: other, role: 'user', status: 'active' },
  ])
  const user = { person: other, browser: await signInDirectly(portal, other) }
  const app = {
    purpose: 'pair-app',
    start: startSignaturePairing,
    confirm: confirmSignaturePairing,
    list: listSignatures,
  } as const
  const ofSeal = {
    purpose: 'pair-seal',
    start: startSealPairing,
    confirm: confirmSealPairing,
    list: listSeals,
  } as const
  for (const { by, id, purpose, start, confirm, list } of [
    { ...app, by: renewing, id: renewing.signature.id },
    { ...ofSeal, by: user, id: seal.id },
  ]) {
    const params = { id }
    await insertStepUp(portal, by.person, purpose, id)
    const { key } = shownSecret((await by.browser.call(start, { params })).body)
    const body = { code: totp(fromBase32(key)!, await now(portal.db)) }
    const pairable = async () => (await by.browser.call(list, {})).body.items.map((item) => item.canPair)
    expect(await pairable()).toEqual([true])
    const refuse = await stop(renewing, id)
    expect(await pairable()).toEqual([false])
    expect((await by.browser.call(confirm, { params, body })).problem.code).toBe('pairing-not-possible')
    expect((await by.browser.call(start, { params })).problem.code).toBe('pairing-not-possible')
    await refuse()
    expect((await by.browser.call(confirm, { params, body })).body.pairedAt).toEqual(expect.any(String))
  }
})
