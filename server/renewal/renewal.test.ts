import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  acceptShortening,
  confirmPersonalData,
  declineAgreement,
  downloadRenewalAgreement,
  downloadRenewalCalendar,
  enterIdentityDocument,
  finishRenewal,
  fixParameters,
  listOpenRenewals,
  openRenewal,
  readRenewability,
  readRenewal,
  returnToPersonalData,
  saveParameters,
  signAgreement,
} from '../../contract/renewal.ts'
import { documentEnd } from '../../contract/renewal-rules.ts'
import { startPairing } from '../../contract/signatures.ts'
import { readCertificate } from '../../pki/certificate.ts'
import { validatePdf } from '../../pki/pades-validate.ts'
import { root, issuing } from '../../pki/testing/pades-authorities.ts'
import { openBrowser, stepUp } from '../testing/browser.ts'
import { addCustomer, letIn } from '../testing/ready-customers.ts'
import { expectAttachment } from '../testing/downloads.ts'
import {
  agreed,
  at,
  chosen,
  codeFor,
  expectedOf,
  fixed,
  openRenewalHouse,
  opened,
  read,
  renewalIn,
  shownOf,
  signed,
  type RenewalHouse,
} from '../testing/sample-renewals.ts'
import { giveRenewalCode, wrongCode } from '../testing/sample-vouchers.ts'

let house: RenewalHouse
beforeAll(async () => {
  house = await openRenewalHouse()
})
afterAll(() => house.close())

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function bytesOf(answer: Promise<Response>) {
  const response = await answer
  expect(response.status).toBe(200)
  return new Uint8Array(await response.arrayBuffer())
}

test('REN-1 REN-7 REN-9 REN-10 R57 R61 a signature is renewed from its code to its QR code, and every page can be come back to', async () => {
  const renewing = await house.makeRenewable()
  const { browser, person, signature } = renewing
  expect((await browser.call(readRenewability, { params: { id: signature.id } })).body).toEqual({
    uid: null,
    reasons: ['CODE_REQUIRED'],
  })
  const draft = await opened(renewing)
  expect(draft).toMatchObject({ state: 'parameters', version: 1, stops: [], frozen: false, parameters: chosen })
  expect((await browser.call(readRenewability, { params: { id: signature.id } })).body.uid).toBe(draft.uid)
  // The same code leads back to it, in this browser and in another one.
  const elsewhere = await letIn(house.portal, person)
  expect((await opened({ ...renewing, browser: elsewhere })).uid).toBe(draft.uid)
  const kept = renewalIn(
    await browser.call(saveParameters, {
      params: at(draft),
      body: { expected: expectedOf(draft), parameters: { ...chosen, years: 3, language: 'en' } },
    }),
  )
  expect((await read(elsewhere, draft, 1)).parameters).toMatchObject({ years: 3, language: 'en' })
  const inStep2 = await fixed(browser, kept, { language: 'en' })
  expect(inStep2).toMatchObject({ state: 'personal-data', frozen: true, person: { matches: true } })
  const waiting = renewalIn(
    await browser.call(confirmPersonalData, { params: at(draft), body: { expected: expectedOf(inStep2) } }),
  )
  expect(waiting).toMatchObject({ state: 'signing', agreement: null })
  const from = new Date(signature.notAfter.getTime() + 1000)
  expect(waiting.terms!.from).toBe(from.toISOString())
  await house.desk.work()
  const ready = await read(browser, draft)
  const agreement = await bytesOf(browser.raw('GET', downloadRenewalAgreement.path.replace(':uid', draft.uid)))
  expect(ready.agreement).toEqual({ sha256: sha256(agreement), bytes: agreement.length, signed: false })

  const done = await signed(house, renewing, ready)
  expect(house.portal.texts.find(({ to }) => to === person.phone)!.text).toContain(ready.agreement!.sha256.slice(0, 8))
  expect(done).toMatchObject({ state: 'signed', agreement: { signed: true }, signature: null })
  const download = await browser.raw('GET', downloadRenewalAgreement.path.replace(':uid', draft.uid))
  expectAttachment(download)
  const pdf = new Uint8Array(await download.arrayBuffer())
  expect(Buffer.from(pdf).subarray(0, agreement.length).equals(agreement)).toBe(true)
  const { authority } = house.provider
  const report = await validatePdf(pdf, {
    anchors: [{ certificate: authority.certificates.root }, { certificate: root.certificate }],
    intermediates: [authority.certificates.issuing, issuing.certificate],
    crls: await Promise.all([authority.revocationList('root'), authority.revocationList('issuing')]),
    receivedAt: house.now(),
    signer: { identifier: 'PNOPL-44051401458' },
    revocation: 'not-required',
    signingCertificate: 'v2',
    qualified: true,
  })
  const customers = report.signatures.find((one) => JSON.stringify(one).includes('44051401458'))!
  expect(customers.problems.filter(({ severity }) => severity === 'refuse')).toEqual([])

  await house.desk.work()
  await house.desk.work()
  const issued = await read(browser, draft)
  expect(issued).toMatchObject({ state: 'issued', signature: { validFrom: from.toISOString(), pairable: false } })
  const { certificates } = house.keys.find(`renewal-${draft.uid}`)!
  const certificate = readCertificate(certificates[0]!)
  // R57: what was signed is what was issued.
  expect(certificate.notBefore).toEqual(from)
  expect(certificate.notAfter.toISOString()).toBe(waiting.terms!.to)
  await house.portal.deliver()
  expect(house.portal.mails.find(({ to }) => to === person.email)!.subject).toContain('gotowy')

  const calendar = await browser.raw('GET', downloadRenewalCalendar.path.replace(':uid', draft.uid))
  expectAttachment(calendar)
  const event = await calendar.text()
  expect(event).toContain(`DTSTART:${from.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`)
  expect(event).not.toContain('Nowak')

  // REN-9, R61: no QR code before the certificate is valid.
  await stepUp(house.portal, browser, person, 'pair-app', issued.signature!.id)
  const early = await browser.call(startPairing, { params: { id: issued.signature!.id } })
  expect(early.problem.code).toBe('pairing-not-possible')
  expect((await browser.call(listOpenRenewals)).body.items).toMatchObject([
    { uid: draft.uid, state: 'issued', issued: issued.signature!.id },
  ])
  renewalIn(await browser.call(finishRenewal, { params: at(draft), body: { expected: expectedOf(issued) } }))
  expect((await browser.call(listOpenRenewals)).body.items).toEqual([])
})

test('REN-2 R57 R37 what was chosen cannot be changed once the step is left, nor by fields of later steps', async () => {
  const renewing = await house.makeRenewable()
  const { browser } = renewing
  const draft = await opened(renewing)
  const inStep2 = await fixed(browser, draft)
  for (const expected of [
    expectedOf(draft),
    expectedOf(inStep2),
    { state: 'parameters', version: inStep2.version } as const,
  ]) {
    const body = { expected, parameters: { ...chosen, years: 3 as const } }
    const again = await browser.call(saveParameters, { params: at(draft), body })
    expect(again.status).toBe(422)
    expect(again.problem).toMatchObject({ code: 'state-passed', current: 'personal-data' })
    const left = await browser.call(fixParameters, { params: at(draft), body: { ...body, shortenedTo: null } })
    expect(left.problem).toMatchObject({ code: 'state-passed' })
  }
  const more = await browser.raw('POST', confirmPersonalData.path.replace(':uid', draft.uid), {
    expected: expectedOf(inStep2),
    parameters: { ...chosen, years: 3 },
  })
  expect(more.status).toBe(400)
  expect((await read(browser, draft)).parameters.years).toBe(2)
  // Whoever writes to the database is held to it too.
  const { rows } = await house.portal.owner
    .query(`update renewals set parameters_sha256 = 'x' where id = $1 returning id`, [draft.uid])
    .catch((error: Error) => ({ rows: error.message }))
  expect(rows).toContain('fixed')
})

test('REN-4 R61 a shortened validity is accepted by its very end, which the server works out', async () => {
  const renewing = await house.makeRenewable({
    subject: { serialNumber: 'IDCPL-ABA300000' },
    identification: { document: { type: 'DO', number: 'ABA300000', validTo: lastDay(400), issuedBy: 'Burmistrz' } },
  })
  const { browser } = renewing
  const draft = await opened(renewing)
  const end = documentEnd(lastDay(400)).toISOString()
  const leave = (shortenedTo: string | null, parameters = {}) =>
    browser.call(fixParameters, {
      params: at(draft),
      body: { expected: expectedOf(draft), parameters: { ...chosen, ...parameters }, shortenedTo },
    })
  for (const forged of [null, new Date(Date.parse(end) + 1000).toISOString(), '2099-01-01T00:00:00.000Z'])
    expect((await leave(forged)).problem).toMatchObject({
      code: 'renewal-refused',
      reason: 'SHORTENED_VALIDITY_NEEDS_CONSENT',
    })
  // REN-4: a PESEL is not tied to the document.
  expect((await leave(end)).body).toMatchObject({ state: 'personal-data', shortenedTo: end })
  const untied = await house.makeRenewable({
    subject: { serialNumber: 'IDCPL-ABA300000' },
    identification: { document: { type: 'DO', number: 'ABA300000', validTo: lastDay(400), issuedBy: 'Burmistrz' } },
  })
  const ready = await agreed(house, untied, { identifier: 'pesel' })
  expect(ready.terms!.identifier).toEqual({ type: 'PNO', country: 'PL', value: '44051401458' })
  expect(Date.parse(ready.terms!.to)).toBeGreaterThan(Date.parse(end))
})

const lastDay = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

test('REN-5 an activation after the end of the document is refused, and one without continuity is taken', async () => {
  const document = { type: 'DO', number: 'ABA300000', validTo: lastDay(40), issuedBy: 'Burmistrz' } as const
  const endsAt = new Date(Math.floor(Date.now() / 1000) * 1000 + 60 * 86_400_000)
  const { browser, code } = await house.makeRenewable({ identification: { document }, endsAt })
  const draft = await opened({ browser, code })
  const leave = (parameters: Partial<typeof chosen>) =>
    browser.call(fixParameters, {
      params: at(draft),
      body: { expected: expectedOf(draft), parameters: { ...chosen, ...parameters }, shortenedTo: null },
    })
  expect((await leave({})).problem).toMatchObject({ code: 'renewal-refused', reason: 'ACTIVATION_AFTER_DOC_EXPIRY' })
  expect((await leave({ start: 'immediately', activationDate: lastDay(90) })).problem).toMatchObject({
    code: 'invalid-input',
    fields: [{ name: 'parameters.activationDate', problem: 'date-range' }],
  })
  expect((await leave({ start: 'immediately' })).body.state).toBe('personal-data')
})

test('REN-3 REN-6 an expired document stops the renewal until the provider has confirmed new details', async () => {
  const old = { type: 'DO', number: 'ABA300000', validTo: '2025-01-31', issuedBy: 'Burmistrz' } as const
  const renewing = await house.makeRenewable({ identification: { document: old } })
  const { browser } = renewing
  const draft = await opened(renewing)
  expect(draft.stops).toEqual(['DOC_EXPIRED'])
  const refused = await browser.call(fixParameters, {
    params: at(draft),
    body: { expected: expectedOf(draft), parameters: chosen, shortenedTo: null },
  })
  expect(refused.problem).toMatchObject({ code: 'renewal-refused', reason: 'DOC_EXPIRED' })
  const enter = (renewal: typeof draft, document: typeof old | object) =>
    browser.call(enterIdentityDocument, {
      params: at(draft),
      body: { expected: expectedOf(renewal), document: document as typeof old },
    })
  expect((await enter(draft, { ...old, number: 'ABA300001' })).problem).toMatchObject({
    code: 'invalid-input',
    fields: [{ name: 'document.number', problem: 'format' }],
  })
  const stillOld = renewalIn(await enter(draft, { ...old, validTo: '2025-06-30' }))
  expect(stillOld.stops).toContain('DATA_MISMATCH')
  await house.desk.work()
  const judged = await read(browser, draft)
  expect(judged).toMatchObject({ identityCheck: { state: 'refused' }, stops: ['DOC_EXPIRED'] })
  renewalIn(await enter(judged, { ...old, number: 'ABA900002', validTo: lastDay(3000) }))
  await house.desk.work()
  const cured = await read(browser, draft)
  expect(cured).toMatchObject({
    identityCheck: { state: 'confirmed' },
    stops: [],
    person: { document: { number: 'ABA900002' } },
  })
  expect((await fixed(browser, cured)).state).toBe('personal-data')
})

test('REN-6 R61 what stands against a renewal for good refuses the code, which stays unused', async () => {
  const early = await house.makeRenewable({ endsAt: new Date(Math.floor(Date.now() / 1000) * 1000 + 91 * 86_400_000) })
  for (const _ of [1, 2]) {
    const refused = await early.browser.call(openRenewal, { body: { code: early.code } })
    expect(refused.problem).toMatchObject({ code: 'renewal-refused', reason: 'TOO_EARLY' })
  }
  const { rows } = await house.portal.owner.query(
    'select used_at from voucher_codes c join signatures s on s.id = c.signature_id where s.id = $1',
    [early.signature.id],
  )
  expect(rows).toEqual([{ used_at: null }])
})

test('R31 a code opens a renewal for the owner of its certificate alone, and once', async () => {
  const renewing = await house.makeRenewable()
  const stranger = await letIn(house.portal, await addCustomer(house.portal))
  const foreign = await stranger.call(openRenewal, { body: { code: renewing.code } })
  const unknown = await stranger.call(openRenewal, { body: { code: wrongCode } })
  expect([foreign.status, foreign.problem]).toEqual([unknown.status, unknown.problem])
  expect(foreign.problem.code).toBe('voucher-refused')
  // Two wizards at once, on two nodes: one renewal.
  const both = await Promise.all(
    [0, 1, 0, 1].map((node) => renewing.browser.call(openRenewal, { body: { code: renewing.code } }, node)),
  )
  expect(new Set(both.map(({ body }) => body.uid)).size).toBe(1)
  const { uid } = both[0]!.body
  expect((await stranger.call(readRenewal, { params: { uid } })).problem.code).toBe('not-found')
  // Another code for the same certificate finds it too, and is not used up.
  const other = await giveRenewalCode(house.portal, renewing.signature.providerId)
  expect((await opened({ ...renewing, code: other.code })).uid).toBe(uid)
})

test('R33 a code signs the very agreement that it was sent for: another byte, another version or another hash voids it', async () => {
  const renewing = await house.makeRenewable()
  const { browser } = renewing
  const ready = await agreed(house, renewing)
  const code = await codeFor(house, renewing, ready)
  const before = house.service.orders.length
  const sign = (over: object) =>
    browser.call(signAgreement, { params: at(ready), body: { ...shownOf(ready), code, ...over } })
  expect((await sign({ sha256: 'a'.repeat(64) })).problem.code).toBe('signing-changed')
  // The provider files an agreement with one byte more.
  const row = await house.portal.db
    .selectFrom('renewals')
    .select('terms_sha256 as terms')
    .where('id', '=', ready.uid)
    .executeTakeFirstOrThrow()
  const pdf = await bytesOf(browser.raw('GET', downloadRenewalAgreement.path.replace(':uid', ready.uid)))
  const put = await openBrowser(house.portal).raw(
    'PUT',
    `/provider/v1/renewals/${ready.uid}/agreements/${row.terms}`,
    Buffer.concat([pdf, Buffer.from('\n')]),
    { authorization: `Bearer ${house.portal.clientKey}`, 'content-type': 'application/pdf' },
  )
  expect(put.status).toBe(200)
  const changed = await read(browser, ready)
  expect((await sign({})).problem.code).toBe('signing-changed')
  expect((await sign(shownOf(changed))).problem.code).toBe('code-void')
  expect((await read(browser, ready)).state).toBe('signing')
  // The same terms made anew are another agreement too: a parameter that has changed cannot slip in.
  await browser.call(returnToPersonalData, { params: at(ready), body: { expected: expectedOf(changed) } })
  const back = await read(browser, ready)
  await browser.call(confirmPersonalData, { params: at(ready), body: { expected: expectedOf(back) } })
  await house.desk.work()
  const anew = await read(browser, ready)
  expect((await sign(shownOf(anew))).problem.code).toBe('code-void')
  expect(house.service.orders.length).toBe(before)
  const { rows } = await house.portal.owner.query(
    `select details from audit where act = 'renewal-code-unbound' and details ->> 'renewal' = $1 order by id desc limit 1`,
    [ready.uid],
  )
  expect(rows[0].details).toMatchObject({ meant: ready.agreement!.sha256, agreement: changed.agreement!.sha256 })
})

test('REN-8 R59 declining ends the renewal for good, and of signing and declining at once exactly one happens', async () => {
  for (let round = 0; round < 4; round += 1) {
    const renewing = await house.makeRenewable()
    const ready = await agreed(house, renewing)
    const code = await codeFor(house, renewing, ready)
    const before = house.service.orders.length
    const acts = Array.from({ length: 8 }, (_, i) =>
      i % 2
        ? renewing.browser.call(signAgreement, { params: at(ready), body: { ...shownOf(ready), code } }, i % 2)
        : renewing.browser.call(
            declineAgreement,
            { params: at(ready), body: { expected: expectedOf(ready) } },
            (i / 2) % 2,
          ),
    )
    const answers = await Promise.all(acts)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    await house.portal.deliver()
    await house.desk.work()
    const end = await read(renewing.browser, ready)
    if (end.state !== 'declined') {
      expect(end.state).toBe('issued')
      continue
    }
    // After it nothing goes to the provider, from no route and no job.
    expect(house.service.orders.length).toBe(before)
    const again = await renewing.browser.call(signAgreement, { params: at(ready), body: { ...shownOf(ready), code } })
    expect(again.problem).toMatchObject({ code: 'state-passed', current: 'declined' })
    const back = await renewing.browser.call(returnToPersonalData, {
      params: at(ready),
      body: { expected: expectedOf(end) },
    })
    expect(back.problem.code).toBe('state-passed')
    expect((await opened(renewing)).state).toBe('declined')
  }
}, 60_000)

test('R58 of two tabs that choose different periods at once one wins as a whole, and the other is told where things stand', async () => {
  const renewing = await house.makeRenewable()
  let draft = await opened(renewing)
  for (let round = 0; round < 20; round += 1) {
    const answers = await Promise.all(
      ([1, 3] as const).map((years, node) =>
        renewing.browser.call(
          saveParameters,
          {
            params: at(draft),
            body: {
              expected: expectedOf(draft),
              parameters: { ...chosen, years, language: years === 1 ? 'pl' : 'en' },
            },
          },
          node,
        ),
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

test('R56 R58 parameters that a browser sends once more are stored once, also at once, and an older page cannot pass for that', async () => {
  const renewing = await house.makeRenewable()
  const draft = await opened(renewing)
  const save = (expected: ReturnType<typeof expectedOf>, years: 2 | 3, node = 0) =>
    renewing.browser.call(
      saveParameters,
      { params: at(draft), body: { expected, parameters: { ...chosen, years } } },
      node,
    )
  let now = draft
  for (let round = 0; round < 5; round += 1) {
    const years = round % 2 ? 2 : 3
    const answers = await Promise.all([0, 1, 0].map((node) => save(expectedOf(now), years, node)))
    expect(answers.map(({ status, body }) => [status, body.version])).toEqual(answers.map(() => [200, now.version + 1]))
    now = await read(renewing.browser, draft)
  }
  expect((await save(expectedOf(draft), 3)).problem).toMatchObject({ code: 'state-passed', current: 'parameters' })
  expect((await read(renewing.browser, draft)).version).toBe(now.version)
})

test('REN-1 a draft is kept for 14 days; after that the same code opens another, although it was used', async () => {
  const renewing = await house.makeRenewable({
    endsAt: new Date(Math.floor(house.now().getTime() / 1000) * 1000 + 40 * 86_400_000),
  })
  const inStep2 = await fixed(renewing.browser, await opened(renewing))
  await house.advance(14 * 86_400 + 1)
  renewing.browser = await letIn(house.portal, renewing.person)
  expect((await read(renewing.browser, inStep2)).state).toBe('expired')
  const late = await renewing.browser.call(confirmPersonalData, {
    params: at(inStep2),
    body: { expected: expectedOf(inStep2) },
  })
  expect(late.problem).toMatchObject({ code: 'state-passed', current: 'expired' })
  const next = await opened(renewing)
  expect(next.uid).not.toBe(inStep2.uid)
  expect((await fixed(renewing.browser, next)).state).toBe('personal-data')
})

test('REN-4 a document that ends earlier after step 1 needs a consent of its own before the personal data are confirmed', async () => {
  const far = { type: 'DO', number: 'ABA300000', validTo: null, issuedBy: 'Burmistrz' } as const
  const renewing = await house.makeRenewable({
    subject: { serialNumber: 'IDCPL-ABA300000' },
    identification: { document: far },
  })
  const { browser } = renewing
  const inStep2 = await fixed(browser, await opened(renewing))
  const sooner = { ...far, validTo: new Date(house.now().getTime() + 200 * 86_400_000).toISOString().slice(0, 10) }
  const asked = renewalIn(
    await browser.call(enterIdentityDocument, {
      params: at(inStep2),
      body: { expected: expectedOf(inStep2), document: sooner },
    }),
  )
  const early = await browser.call(confirmPersonalData, { params: at(asked), body: { expected: expectedOf(asked) } })
  expect(early.problem).toMatchObject({ code: 'renewal-refused', reason: 'DATA_MISMATCH' })
  await house.desk.work()
  const known = await read(browser, asked)
  const without = await browser.call(confirmPersonalData, { params: at(known), body: { expected: expectedOf(known) } })
  expect(without.problem).toMatchObject({ reason: 'SHORTENED_VALIDITY_NEEDS_CONSENT' })
  const accepted = renewalIn(
    await browser.call(acceptShortening, {
      params: at(known),
      body: { expected: expectedOf(known), shortenedTo: documentEnd(sooner.validTo).toISOString() },
    }),
  )
  const confirmed = renewalIn(
    await browser.call(confirmPersonalData, { params: at(accepted), body: { expected: expectedOf(accepted) } }),
  )
  expect(confirmed.terms!.to).toBe(documentEnd(sooner.validTo).toISOString())
})
