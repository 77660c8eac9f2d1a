import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { downloadSignedAgreement } from '../../contract/provider/provider-renewals.ts'
import * as contract from '../../contract/renewal.ts'
import { endOfDocumentDay, newIdentifier } from '../../contract/rules/renewal-rules.ts'
import { startSignaturePairing } from '../../contract/signatures.ts'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import { validatePdf } from '../../pki/pades/pades-validate.ts'
import { root, issuing } from '../../pki/testing/pades-authorities.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { asProvider, type TestBrowser, expectAttachment } from '../testing/browser.ts'
import { openPortalWithRenewals } from '../testing/open-portal.ts'
import { sampleIdentification } from '../testing/portal-nodes.ts'
import { uploadPdf } from '../testing/provider.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import {
  renewUntilAgreement,
  at,
  chosen,
  readCodeFor,
  expectedOf,
  fixTerms,
  startRenewal,
  read,
  renewalIn,
  shownOf,
  signAgreementByCode,
} from '../testing/samples/sample-renewals.ts'
import { giveRenewalCode, wrongCode } from '../testing/samples/sample-vouchers.ts'
import { stepUp } from '../testing/test-customers.ts'

const setup = await openPortalWithRenewals()

const inDays = (days: number) => new Date(Math.floor(setup.now().getTime() / 1000) * 1000 + days * 86_400_000)
const lastDay = (days: number) => inDays(days).toISOString().slice(0, 10)

type Draft = Awaited<ReturnType<typeof startRenewal>>
/** Leaves the first step with these parameters. */
const leave = (browser: TestBrowser, draft: Draft, parameters = {}, shortenedTo: string | null = null) => {
  const body = { expected: expectedOf(draft), parameters: { ...chosen, ...parameters }, shortenedTo }
  return browser.call(contract.fixParameters, { params: at(draft), body })
}
/** Returns an identity card that ends on a day, or never. */
const cardUntil = (validTo: string | null, number = 'ABA300000') =>
  ({ type: 'DO', number, validTo, issuedBy: 'Burmistrz' }) as const
const enterDocument = (browser: TestBrowser, renewal: Draft, document: ReturnType<typeof cardUntil>) =>
  browser.call(contract.enterIdentityDocument, {
    params: at(renewal),
    body: { expected: expectedOf(renewal), document },
  })
/** Keeps these parameters, and stays in the first step. */
const save = (browser: TestBrowser, draft: Draft, parameters: Partial<contract.RenewalParameters>, node = 0) => {
  const body = { expected: expectedOf(draft), parameters: { ...chosen, ...parameters } }
  return browser.call(contract.saveParameters, { params: at(draft), body }, node)
}
const confirmData = (browser: TestBrowser, renewal: Draft) =>
  browser.call(contract.confirmPersonalData, { params: at(renewal), body: { expected: expectedOf(renewal) } })

async function bytesOf(answer: Promise<Response>) {
  const response = await answer
  expect(response.status).toBe(200)
  return new Uint8Array(await response.arrayBuffer())
}

test('REN-1 REN-7 REN-9 REN-10 R57 R61 a signature is renewed from its code to its QR code, and the customer can return to every page', async () => {
  const renewing = await setup.makeRenewable()
  const { browser, person, signature } = renewing
  expect((await browser.call(contract.readRenewability, { params: { id: signature.id } })).body).toEqual({
    uid: null,
    reasons: ['CODE_REQUIRED'],
  })
  const draft = await startRenewal(renewing)
  const fresh = { version: 1, stops: [], isSaved: false, isFinal: false, parameters: chosen }
  expect(draft).toMatchObject({ state: 'parameters', ...fresh })
  expect((await browser.call(contract.readRenewability, { params: { id: signature.id } })).body.uid).toBe(draft.uid)
  // The same code leads back to the renewal, in this browser and in another.
  const elsewhere = await signInDirectly(setup.portal, person)
  expect((await startRenewal({ ...renewing, browser: elsewhere })).uid).toBe(draft.uid)
  const kept = renewalIn(await save(browser, draft, { years: 3, language: 'en' }))
  expect(await read(elsewhere, draft, 1)).toMatchObject({ isSaved: true, parameters: { years: 3, language: 'en' } })
  const inStep2 = await fixTerms(browser, kept, { language: 'en' })
  expect(inStep2).toMatchObject({ state: 'personal-data', isFinal: true, person: { isMatching: true } })
  const waiting = renewalIn(await confirmData(browser, inStep2))
  expect(waiting).toMatchObject({ state: 'signing', agreement: null })
  const from = new Date(signature.notAfter.getTime() + 1000)
  expect(waiting.terms!.from).toBe(from.toISOString())
  await setup.backOffice.work()
  const ready = await read(browser, draft)
  const agreement = await bytesOf(browser.raw('GET', contract.downloadRenewalAgreement.path.replace(':uid', draft.uid)))
  expect(ready.agreement).toEqual({ sha256: hash('sha256', agreement), bytes: agreement.length, isSigned: false })

  const done = await signAgreementByCode(setup, renewing, ready)
  expect(setup.portal.texts.find(({ to }) => to === person.phone)!.text).toContain(ready.agreement!.sha256.slice(0, 8))
  expect(done).toMatchObject({ state: 'signed', agreement: { isSigned: true }, signature: null })
  const download = await browser.raw('GET', contract.downloadRenewalAgreement.path.replace(':uid', draft.uid))
  expectAttachment(download)
  const pdf = new Uint8Array(await download.arrayBuffer())
  expect(Buffer.from(pdf).subarray(0, agreement.length).equals(agreement)).toBe(true)
  // The provider fetches the same, which the audit trail records with the customer (R172).
  const path = downloadSignedAgreement.path.replace(':renewal', draft.uid)
  expect(await bytesOf(asProvider(setup.portal, 'GET', path))).toEqual(pdf)
  const readings = await auditEntries(setup.portal, { login: person.login, action: 'data-read' })
  expect(readings.map(({ details }) => details['read'])).toContain('renewals/:renewal/signed')
  const { authority } = setup.provider
  const report = await validatePdf(pdf, {
    anchors: [{ certificate: authority.certificates.root }, { certificate: root.certificate }],
    intermediates: [authority.certificates.issuing, issuing.certificate],
    crls: await Promise.all([authority.readRevocationList('root'), authority.readRevocationList('issuing')]),
    receivedAt: setup.now(),
    signer: { identifier: 'PNOPL-44051401458' },
    revocation: 'not-required',
    signingCertificate: 'v2',
    qualified: true,
  })
  const customers = report.signatures.find((found) => JSON.stringify(found).includes('44051401458'))!
  expect(customers.problems.filter(({ severity }) => severity === 'refuse')).toEqual([])

  await setup.backOffice.work()
  await setup.backOffice.work()
  const issued = await read(browser, draft)
  expect(issued).toMatchObject({ state: 'issued', signature: { validFrom: from.toISOString(), canPair: false } })
  const { certificates } = setup.keys.find(`renewal-${draft.uid}`)!
  const certificate = readCertificate(certificates[0]!)
  // What was signed is what was issued (R57).
  expect(certificate.notBefore).toEqual(from)
  expect(certificate.notAfter.toISOString()).toBe(waiting.terms!.to)
  await setup.portal.deliver()
  expect(setup.portal.mails.find(({ to }) => to === person.email)!.subject).toContain('gotowy')

  const calendar = await browser.raw('GET', contract.downloadRenewalCalendar.path.replace(':uid', draft.uid))
  expectAttachment(calendar)
  const event = await calendar.text()
  expect(event).toContain(`DTSTART:${from.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`)
  expect(event).not.toContain('Nowak')

  // No QR code before the certificate is valid (REN-9, R61).
  await stepUp(setup.portal, browser, person, 'pair-app', issued.signature!.id)
  const early = await browser.call(startSignaturePairing, { params: { id: issued.signature!.id } })
  expect(early.problem.code).toBe('pairing-not-possible')
  expect((await browser.call(contract.listOpenRenewals)).body.items).toMatchObject([
    { uid: draft.uid, state: 'issued', issued: issued.signature!.id },
  ])
  renewalIn(await browser.call(contract.finishRenewal, { params: at(draft), body: { expected: expectedOf(issued) } }))
  expect((await browser.call(contract.listOpenRenewals)).body.items).toEqual([])
})

test('REN-3 REN-13 R144 the name and the identifier that the page shows are those of the agreement and the certificate, for every type of identifier', async () => {
  const irish = {
    nationality: 'IE',
    document: { ...sampleIdentification.document, type: 'PA', number: 'XN5003566' },
  } as const
  const passport = { ...irish, identifierType: 'PAS', issuingCountry: 'IE', identificationNumber: 'XN5003566' } as const
  const nip = { identifierType: 'TIN', issuingCountry: 'PL', identificationNumber: '1234563218' } as const
  const own = { identifierType: 'ECN', issuingCountry: null, identificationNumber: 'ECN1001' } as const
  const secondName = 'Maria'
  const cases: [string, Parameters<typeof setup.makeRenewable>[0], Partial<contract.RenewalParameters>, string][] = [
    ['PNOPL-44051401458', { secondName, subject: { givenName: 'Anna Maria' } }, {}, 'Anna Maria Nowak'],
    // The renewed certificate has no second name, and the new one gets none.
    ['PNOPL-44051401458', { secondName }, {}, 'Anna Nowak'],
    ['TINPL-1234563218', { identification: nip }, {}, 'Anna Nowak'],
    ['PASIE-XN5003566', { identification: passport }, {}, 'Anna Nowak'],
    ['IDCPL-ABA300000', {}, {}, 'Anna Nowak'],
    ['ECN1001', { identification: own }, {}, 'Anna Nowak'],
    ['PNOPL-44051401458', { subject: { serialNumber: 'IDCPL-ABA300000' } }, { identifier: 'pesel' }, 'Anna Nowak'],
  ]
  for (const [serialNumber, options, parameters, name] of cases) {
    const renewing = await setup.makeRenewable({ ...options, subject: { serialNumber, ...options?.subject } })
    const draft = await startRenewal(renewing)
    expect([serialNumber, draft.person.commonName]).toEqual([serialNumber, name])
    const ready = await renewUntilAgreement(setup, renewing, parameters)
    const shown = newIdentifier(ready.parameters.identifier, ready.certificate.identifier, ready.person)!
    const { type, country, value } = shown
    expect([country ? `${type}${country}-${value}` : value, ready.terms!.identifier]).toEqual([serialNumber, shown])
    expect(ready.person.commonName).toBe(name)
    await signAgreementByCode(setup, renewing, ready)
    await setup.backOffice.work()
    await setup.backOffice.work()
    const { certificates } = setup.keys.find(`renewal-${ready.uid}`)!
    const { subject } = readCertificate(certificates[0]!)
    const attribute = (short: string) => subject.find((found) => found.name === short)?.value
    expect([attribute('CN'), attribute('serialNumber')]).toEqual([name, serialNumber])
  }
})

test('REN-2 R57 R37 the parameters cannot be changed after their step, nor by fields of later steps', async () => {
  const renewing = await setup.makeRenewable()
  const { browser } = renewing
  const draft = await startRenewal(renewing)
  const inStep2 = await fixTerms(browser, draft)
  for (const expected of [
    expectedOf(draft),
    expectedOf(inStep2),
    { state: 'parameters', version: inStep2.version } as const,
  ]) {
    const body = { expected, parameters: { ...chosen, years: 3 as const } }
    const again = await browser.call(contract.saveParameters, { params: at(draft), body })
    expect(again.status).toBe(422)
    expect(again.problem).toMatchObject({ code: 'state-passed', current: 'personal-data' })
    const left = await browser.call(contract.fixParameters, { params: at(draft), body: { ...body, shortenedTo: null } })
    expect(left.problem).toMatchObject({ code: 'state-passed' })
  }
  const more = await browser.raw('POST', contract.confirmPersonalData.path.replace(':uid', draft.uid), {
    expected: expectedOf(inStep2),
    parameters: { ...chosen, years: 3 },
  })
  expect(more.status).toBe(400)
  expect((await read(browser, draft)).parameters.years).toBe(2)
  // The database refuses the change too.
  const { rows } = await setup.portal.owner
    .query(`update renewals set parameters_sha256 = 'x' where id = $1 returning id`, [draft.uid])
    .catch((error: Error) => ({ rows: error.message }))
  expect(rows).toContain('fixed')
})

test('REN-4 R61 a shortened validity is accepted by its exact end, which the server computes', async () => {
  const renewing = await setup.makeRenewable({
    subject: { serialNumber: 'IDCPL-ABA300000' },
    identification: { document: cardUntil(lastDay(400)) },
  })
  const { browser } = renewing
  const draft = await startRenewal(renewing)
  const end = endOfDocumentDay(lastDay(400)).toISOString()
  for (const forged of [null, new Date(Date.parse(end) + 1000).toISOString(), '2099-01-01T00:00:00.000Z'])
    expect((await leave(browser, draft, {}, forged)).problem).toMatchObject({
      code: 'renewal-refused',
      reason: 'SHORTENED_VALIDITY_NEEDS_CONSENT',
    })
  expect((await leave(browser, draft, {}, end)).body).toMatchObject({ state: 'personal-data', shortenedTo: end })
})

test('REN-5 an activation after the end of the document is refused, and one without continuity is accepted', async () => {
  const identification = { document: cardUntil(lastDay(40)) }
  const { browser, code } = await setup.makeRenewable({ identification, endsAt: inDays(60) })
  const draft = await startRenewal({ browser, code })
  expect((await leave(browser, draft)).problem).toMatchObject({
    code: 'renewal-refused',
    reason: 'ACTIVATION_AFTER_DOC_EXPIRY',
  })
  expect((await leave(browser, draft, { start: 'immediately', activationDate: lastDay(90) })).problem).toMatchObject({
    code: 'invalid-input',
    fields: [{ name: 'parameters.activationDate', problem: 'date-range' }],
  })
  expect((await leave(browser, draft, { start: 'immediately' })).body.state).toBe('personal-data')
})

test('REN-3 REN-6 an expired document stops the renewal until the provider has confirmed new details', async () => {
  const renewing = await setup.makeRenewable({ identification: { document: cardUntil('2025-01-31') } })
  const { browser } = renewing
  const draft = await startRenewal(renewing)
  expect(draft.stops).toEqual(['DOC_EXPIRED'])
  const refused = await leave(browser, draft)
  expect(refused.problem).toMatchObject({ code: 'renewal-refused', reason: 'DOC_EXPIRED' })
  expect((await enterDocument(browser, draft, cardUntil('2025-01-31', 'ABA300001'))).problem).toMatchObject({
    code: 'invalid-input',
    fields: [{ name: 'document.number', problem: 'document-number' }],
  })
  const stillOld = renewalIn(await enterDocument(browser, draft, cardUntil('2025-06-30')))
  expect(stillOld.stops).toContain('DATA_MISMATCH')
  await setup.backOffice.work()
  const judged = await read(browser, draft)
  expect(judged).toMatchObject({ identityCheck: { state: 'refused' }, stops: ['DOC_EXPIRED'] })
  renewalIn(await enterDocument(browser, judged, cardUntil(lastDay(3000), 'ABA900002')))
  await setup.backOffice.work()
  const cured = await read(browser, draft)
  expect(cured).toMatchObject({
    identityCheck: { state: 'confirmed' },
    stops: [],
    person: { document: { number: 'ABA900002' } },
  })
  expect((await fixTerms(browser, cured)).state).toBe('personal-data')
})

test('REN-6 R61 a rule that forbids a renewal for good refuses the code, which stays unused', async () => {
  const early = await setup.makeRenewable({ endsAt: inDays(91) })
  for (const _ of [1, 2]) {
    const refused = await early.browser.call(contract.openRenewal, { body: { code: early.code } })
    expect(refused.problem).toMatchObject({ code: 'renewal-refused', reason: 'TOO_EARLY' })
  }
  const rows = await setup.portal.rows(
    'select used_at from voucher_codes c join signatures s on s.id = c.signature_id where s.id = $1',
    [early.signature.id],
  )
  expect(rows).toEqual([{ used_at: null }])
})

test('REN-12 while the signing service is down or has no key, no renewal code is used up and no SMS is sent, and everything goes on later', async () => {
  const renewing = await setup.makeRenewable()
  const { browser, code, signature } = renewing
  const { service, portal } = setup
  const draft = await startRenewal(renewing)
  const parameters = { ...chosen, years: 3 as const }
  const saved = renewalIn(await save(browser, draft, parameters))
  const obstacle = async () => (await browser.call(contract.readSigningReadiness, { params: at(draft) })).body.obstacle
  const isUnused = async () => {
    const rows = await portal.rows('select used_at from voucher_codes where signature_id = $1', [signature.id])
    return rows[0]!.used_at === null
  }
  for (const [keys, reason] of [
    ['unreachable', 'SIGNING_UNAVAILABLE'],
    [[], 'SIGNING_KEY_MISSING'],
  ] as const) {
    service.keys = keys as []
    expect(await obstacle()).toBe(reason)
    expect((await leave(browser, saved, parameters)).problem).toMatchObject({ code: 'renewal-refused', reason })
    expect(await read(browser, draft)).toMatchObject({ ...saved, now: expect.any(String) })
    expect([await isUnused(), (await startRenewal({ browser, code })).uid]).toEqual([true, draft.uid])
  }
  delete service.keys
  expect(await obstacle()).toBe(null)
  expect([(await leave(browser, saved, parameters)).body.state, await isUnused()]).toEqual(['personal-data', false])

  // It goes down later: nothing is sent that could not be used, and the agreement waits.
  const inStep2 = await read(browser, draft)
  await confirmData(browser, inStep2)
  await setup.backOffice.work()
  const ready = await read(browser, draft)
  await portal.deliver()
  const texts = portal.texts.length
  service.keys = 'unreachable'
  const asked = await browser.call(contract.startAgreementSigning, { params: at(draft), body: shownOf(ready) })
  await portal.deliver()
  expect(asked.problem).toMatchObject({ code: 'renewal-refused', reason: 'SIGNING_UNAVAILABLE' })
  expect([portal.texts.length, (await read(browser, draft)).state]).toEqual([texts, 'signing'])
  delete service.keys
  // It goes down after the SMS: the consent is kept, and the agreement is signed without the customer.
  const entry = await readCodeFor(setup, renewing, ready)
  service.keys = 'unreachable'
  await browser.call(contract.signAgreement, { params: at(draft), body: { ...shownOf(ready), code: entry } })
  await portal.deliver()
  expect((await read(browser, draft)).state).toBe('authorised')
  delete service.keys
  await setup.advance(70)
  await portal.deliver()
  expect((await read(browser, draft)).state).toBe('signed')
})

test('R31 a code opens a renewal only for the owner of its certificate, and once', async () => {
  const renewing = await setup.makeRenewable()
  const stranger = await signInDirectly(setup.portal, await addCustomer(setup.portal))
  const foreign = await stranger.call(contract.openRenewal, { body: { code: renewing.code } })
  const unknown = await stranger.call(contract.openRenewal, { body: { code: wrongCode } })
  expect([foreign.status, foreign.problem]).toEqual([unknown.status, unknown.problem])
  expect(foreign.problem.code).toBe('voucher-refused')
  // Two wizards at once, on two nodes: one renewal.
  const both = await Promise.all(
    [0, 1, 0, 1].map((node) => renewing.browser.call(contract.openRenewal, { body: { code: renewing.code } }, node)),
  )
  expect(new Set(both.map(({ body }) => body.uid)).size).toBe(1)
  const { uid } = both[0]!.body
  expect((await stranger.call(contract.readRenewal, { params: { uid } })).problem.code).toBe('not-found')
  // Another code for the same certificate finds the renewal too, and stays unused.
  const otherCode = await giveRenewalCode(setup.portal, renewing.signature.providerId)
  expect((await startRenewal({ ...renewing, code: otherCode.code })).uid).toBe(uid)
})

test('R33 a code signs only the agreement that it was sent for: another byte, another version or another hash voids it', async () => {
  const renewing = await setup.makeRenewable()
  const { browser } = renewing
  const ready = await renewUntilAgreement(setup, renewing)
  const code = await readCodeFor(setup, renewing, ready)
  const before = setup.service.orders.length
  const sign = (over: object) =>
    browser.call(contract.signAgreement, { params: at(ready), body: { ...shownOf(ready), code, ...over } })
  expect((await sign({ sha256: 'a'.repeat(64) })).problem.code).toBe('signing-changed')
  // The provider stores an agreement with one more byte.
  const terms = await setup.portal.owner.query<{ terms: string }>(
    'select terms_sha256 as terms from renewals where id = $1',
    [ready.uid],
  )
  const pdf = await bytesOf(browser.raw('GET', contract.downloadRenewalAgreement.path.replace(':uid', ready.uid)))
  const path = `/provider/v1/renewals/${ready.uid}/agreements/${terms.rows[0]!.terms}`
  const put = await uploadPdf(setup.portal, path, Buffer.concat([pdf, Buffer.from('\n')]))
  expect(put.status).toBe(200)
  const changed = await read(browser, ready)
  expect((await sign({})).problem.code).toBe('signing-changed')
  expect((await sign(shownOf(changed))).problem.code).toBe('code-void')
  expect((await read(browser, ready)).state).toBe('signing')
  // New terms are another agreement, even if equal, so that no changed parameter can slip in.
  await browser.call(contract.returnToPersonalData, { params: at(ready), body: { expected: expectedOf(changed) } })
  const back = await read(browser, ready)
  await confirmData(browser, back)
  await setup.backOffice.work()
  const newer = await read(browser, ready)
  expect((await sign(shownOf(newer))).problem.code).toBe('code-void')
  expect(setup.service.orders.length).toBe(before)
  const entries = await auditEntries(setup.portal, { action: 'renewal-code-unbound', details: { renewal: ready.uid } })
  expect(entries.at(-1)?.details).toMatchObject({
    meant: ready.agreement!.sha256,
    agreement: changed.agreement!.sha256,
  })
})

test('REN-8 R59 declining ends the renewal for good, and of concurrent signing and declining exactly one takes effect', async () => {
  for (let round = 0; round < 4; round += 1) {
    const renewing = await setup.makeRenewable()
    const ready = await renewUntilAgreement(setup, renewing)
    const code = await readCodeFor(setup, renewing, ready)
    const before = setup.service.orders.length
    const [signing, declining] = [{ ...shownOf(ready), code }, { expected: expectedOf(ready) }]
    const calls = Array.from({ length: 8 }, (_, i) =>
      i % 2
        ? renewing.browser.call(contract.signAgreement, { params: at(ready), body: signing }, i % 2)
        : renewing.browser.call(contract.declineAgreement, { params: at(ready), body: declining }, (i / 2) % 2),
    )
    const answers = await Promise.all(calls)
    const accepted = answers.flatMap(({ status }, i) => (status === 200 ? [i % 2 ? 'sign' : 'decline'] : []))
    await setup.portal.deliver()
    await setup.backOffice.work()
    const end = await read(renewing.browser, ready)
    if (end.state !== 'declined') {
      expect(end.state).toBe('issued')
      // Every copy of the code that was accepted gets the same answer (R112), and one order leaves.
      expect(new Set(accepted)).toEqual(new Set(['sign']))
      expect(setup.service.orders.length).toBe(before + 1)
      continue
    }
    expect(accepted).toEqual(['decline'])
    // After that neither a route nor a job sends anything to the provider.
    expect(setup.service.orders.length).toBe(before)
    const again = await renewing.browser.call(contract.signAgreement, { params: at(ready), body: signing })
    expect(again.problem).toMatchObject({ code: 'state-passed', current: 'declined' })
    const body = { expected: expectedOf(end) }
    const back = await renewing.browser.call(contract.returnToPersonalData, { params: at(ready), body })
    expect(back.problem.code).toBe('state-passed')
    expect((await startRenewal(renewing)).state).toBe('declined')
  }
}, 60_000)

test('R58 of two tabs that choose different periods at once one wins as a whole, and the other gets the current state', async () => {
  const renewing = await setup.makeRenewable()
  let draft = await startRenewal(renewing)
  for (let round = 0; round < 20; round += 1) {
    const answers = await Promise.all(
      ([1, 3] as const).map((years, node) =>
        save(renewing.browser, draft, { years, language: years === 1 ? 'pl' : 'en' }, node),
      ),
    )
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    const lost = answers.find(({ status }) => status !== 200)!
    expect(lost.problem).toMatchObject({ code: 'state-passed', current: 'parameters' })
    draft = await read(renewing.browser, draft)
    expect(draft.parameters).toEqual(won[0]!.body.parameters)
    expect(draft.parameters.language).toBe(draft.parameters.years === 1 ? 'pl' : 'en')
  }
})

test('R56 R58 parameters that a browser sends again are stored once, also at the same time, and an older page is not mistaken for a repetition', async () => {
  const renewing = await setup.makeRenewable()
  const draft = await startRenewal(renewing)
  let now = draft
  for (let round = 0; round < 5; round += 1) {
    const years = round % 2 ? 2 : 3
    const answers = await Promise.all([0, 1, 0].map((node) => save(renewing.browser, now, { years }, node)))
    expect(answers.map(({ status, body }) => [status, body.version])).toEqual(answers.map(() => [200, now.version + 1]))
    now = await read(renewing.browser, draft)
  }
  const older = await save(renewing.browser, draft, { years: 3 })
  expect(older.problem).toMatchObject({ code: 'state-passed', current: 'parameters' })
  expect((await read(renewing.browser, draft)).version).toBe(now.version)
})

test('REN-1 a draft is kept for 14 days; after that the same code opens another renewal, although it was used', async () => {
  const renewing = await setup.makeRenewable({ endsAt: inDays(40) })
  const inStep2 = await fixTerms(renewing.browser, await startRenewal(renewing))
  await setup.advance(14 * 86_400 + 1)
  renewing.browser = await signInDirectly(setup.portal, renewing.person)
  expect((await read(renewing.browser, inStep2)).state).toBe('expired')
  const late = await confirmData(renewing.browser, inStep2)
  expect(late.problem).toMatchObject({ code: 'state-passed', current: 'expired' })
  const next = await startRenewal(renewing)
  expect(next.uid).not.toBe(inStep2.uid)
  expect((await fixTerms(renewing.browser, next)).state).toBe('personal-data')
})

test('REN-4 a document that ends earlier after step 1 needs a consent of its own before the personal data are confirmed', async () => {
  const renewing = await setup.makeRenewable({
    subject: { serialNumber: 'IDCPL-ABA300000' },
    identification: { document: cardUntil(null) },
  })
  const { browser } = renewing
  const inStep2 = await fixTerms(browser, await startRenewal(renewing))
  const asked = renewalIn(await enterDocument(browser, inStep2, cardUntil(lastDay(200))))
  const shortenedTo = endOfDocumentDay(lastDay(200)).toISOString()
  const early = await confirmData(browser, asked)
  expect(early.problem).toMatchObject({ code: 'renewal-refused', reason: 'DATA_MISMATCH' })
  await setup.backOffice.work()
  const known = await read(browser, asked)
  const without = await confirmData(browser, known)
  expect(without.problem).toMatchObject({ reason: 'SHORTENED_VALIDITY_NEEDS_CONSENT' })
  const body = { expected: expectedOf(known), shortenedTo }
  const accepted = renewalIn(await browser.call(contract.acceptShortening, { params: at(known), body }))
  const confirmed = renewalIn(await confirmData(browser, accepted))
  expect(confirmed.terms!.to).toBe(shortenedTo)
})
