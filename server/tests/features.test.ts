import { expect, test } from 'vitest'
import { signIn } from '../../contract/account.ts'
import { summariseDocuments } from '../../contract/documents.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import { locales, type Locale } from '../../contract/enums.ts'
import { featureNames, findFeature, neededBy, offParts, type Feature } from '../../contract/features.ts'
import { limits } from '../../contract/limits.ts'
import { pages, type PageName } from '../../contract/pages.ts'
import { putSignature } from '../../contract/provider/provider-signatures.ts'
import { putCaseStatus } from '../../contract/provider/provider-vouchers.ts'
import { listSeals } from '../../contract/seals.ts'
import { startStepUp } from '../../contract/step-up.ts'
import { redeemVoucher } from '../../contract/vouchers.ts'
import { erasedMail } from '../customers/customer-mails.ts'
import { notifyOfExport } from '../data-export/data-export-files.ts'
import { movedAccessMail } from '../desk/desk-moves.ts'
import { notifyOfBlock } from '../platform/authentication/account-block.ts'
import type { Tx } from '../platform/database/database.ts'
import type { Settings } from '../platform/settings.ts'
import { notifyOfRenewal } from '../renewal/renewal-mails.ts'
import { remindOfSignatures } from '../signatures/signature-reminders.ts'
import { fellowLossMail, lossReportedMail } from '../status-requests/lost-phone-mails.ts'
import { givePasskey } from '../testing/authenticators.ts'
import { openBrowser, type TestBrowser } from '../testing/browser.ts'
import { fill, nameOf } from '../testing/calls.ts'
import { readDatabase } from '../testing/database-state.ts'
import { manySends, openPortalWithProvider } from '../testing/open-portal.ts'
import { now } from '../testing/portal-nodes.ts'
import { giveDocument } from '../testing/samples/sample-documents.ts'
import { giveObjects } from '../testing/samples/sample-objects.ts'
import { makeSeal } from '../testing/samples/sample-seals.ts'
import { giveRenewalCode, openVoucherCase } from '../testing/samples/sample-vouchers.ts'
import { goodPassword, makeCustomer, signInAs } from '../testing/test-customers.ts'

/** The features that are off; the portal of these tests reads it with each request. */
const off: Feature[] = []
const switchOff = (...names: Feature[]) => off.splice(0, off.length, ...names)

const { portal, provider } = await openPortalWithProvider({ settings: { featuresOff: off, ...manySends } })
const person = await makeCustomer(portal)
const customer = await signInAs(portal, person)
const objects = await giveObjects(portal, provider, person, customer)

const served = () => portal.app.endpoints
const callsOf = (feature: Feature) => served().filter((endpoint) => findFeature(endpoint) === feature)

/** Sends a valid request. */
async function send(browser: TestBrowser, endpoint: Endpoint) {
  const { path, body, upload, headers } = await fill(endpoint, objects, provider)
  const authorization = endpoint.access === 'provider' && { authorization: `Bearer ${portal.clientKey}` }
  const response = await browser.raw(endpoint.method, path, upload ?? body, { ...headers, ...authorization })
  const text = await response.text()
  return { status: response.status, problem: (text.startsWith('{') ? JSON.parse(text) : {}) as Record<string, unknown> }
}

test('ERR-5 every call belongs to a feature, or is one that no portal can do without', () => {
  expect(served().filter((endpoint) => !findFeature(endpoint))).toEqual([])
  // What a browser keeps makes no calls of its own.
  for (const feature of featureNames.filter((name) => name !== 'offline'))
    expect([feature, callsOf(feature).length > 0]).toEqual([feature, true])
  // A call that only begins with the same letters does not belong to it.
  expect(findFeature({ path: '/api/sealskin' })).toBeUndefined()
  expect(findFeature({ path: '/api/signatures/:id/renewal' })).toBe('renewal')
  expect(findFeature({ path: '/api/signatures/:id/certificate' })).toBe('signatures')
})

test.each(featureNames)('ERR-5 with %s off each of its calls says so to anyone and does nothing', async (feature) => {
  switchOff(feature)
  const before = await readDatabase(portal)
  for (const endpoint of callsOf(feature))
    for (const browser of [customer, openBrowser(portal)]) {
      const { status, problem } = await send(browser, endpoint)
      const call = nameOf(endpoint)
      expect([call, status, problem]).toMatchObject([call, 503, { code: 'unavailable', reason: 'switched-off' }])
    }
  expect(await readDatabase(portal)).toEqual(before)
})

test('ERR-5 what is switched on again is as it was, and the provider goes on meanwhile', async () => {
  switchOff()
  const browser = await signInAs(portal, await makeCustomer(portal))
  switchOff('seals', 'documents')
  expect((await browser.call(listSeals)).status).toBe(503)
  expect((await browser.call(summariseDocuments)).status).toBe(503)
  const states = served().filter(({ path, method }) => path === '/provider/v1/seals/:seal/users' && method === 'GET')
  for (const endpoint of states) expect((await send(openBrowser(portal), endpoint)).status).toBe(200)
  expect(states).toHaveLength(1)
  switchOff()
  expect((await browser.call(listSeals)).status).toBe(200)
})

test('ERR-5 AUT-8 with passkeys off a customer who has one is asked for the SMS code', async () => {
  const owner = await makeCustomer(portal)
  const browser = await signInAs(portal, owner)
  await givePasskey(portal, browser, owner)
  const channels = async () => {
    const fresh = await openBrowser(portal).call(signIn, { body: { login: owner.login, password: goodPassword } })
    const stepUpStart = await browser.call(startStepUp, { body: { purpose: 'export-data' } })
    return [fresh.body, stepUpStart.body].map(({ channel }) => channel)
  }
  expect(await channels()).toEqual(['passkey', 'passkey'])
  switchOff('passkeys')
  expect(await channels()).toEqual(['sms', 'sms'])
  switchOff()
})

test('ERR-5 SIG-5 no reminder leads to a feature that is off', async () => {
  const owner = await makeCustomer(portal)
  const at = await now(portal.db)
  const inDays = (days: number) => new Date(at.getTime() + days * 86_400_000)
  const body = await provider.signedBody(owner.id, { from: inDays(-300), to: inDays(65) })
  await openBrowser(portal).call(putSignature, { params: { signature: `s-${crypto.randomUUID()}` }, body })
  const look = async (days: number) => {
    await portal.clock.advance(days * 86_400)
    await remindOfSignatures(portal.portal, (error) => expect.fail(String(error)))
    await portal.deliver()
    return portal.mails.filter(({ to, subject }) => to === owner.email && /wygasa/.test(subject))
  }
  switchOff('signatures', 'renewal')
  expect(await look(7)).toEqual([])
  switchOff('renewal')
  const [mail, ...others] = await look(8)
  expect(others).toEqual([])
  expect(mail!.text).toContain('Odnowisz go u\u00a0nas')
  expect(mail!.text).not.toMatch(/kod odnowienia|Odnów podpis|Dokończ odnowienie/)
  switchOff()
  await portal.clock.advance(0)
})

test('ERR-5 what happens to what is switched off is mailed without a link to it, or not at all', async () => {
  switchOff()
  const owner = await makeCustomer(portal)
  const browser = await signInAs(portal, owner)
  const at = (await now(portal.db)).toISOString()
  const cases = [await openVoucherCase(portal, browser), await openVoucherCase(portal, browser)]
  await portal.deliver()
  const inTransaction = (work: (tx: Tx) => Promise<unknown>) => portal.db.transaction().execute(work)
  const recipient = { locale: 'pl', email: owner.email } as Parameters<typeof notifyOfRenewal>[2]['person']
  const pending = [{ person: owner, role: 'user', status: 'pending' }] as const
  const endCase = () => {
    const body = { status: 'Zakończona pomyślnie', at, note: null }
    return openBrowser(portal).call(putCaseStatus, { params: { case: cases.pop()!.opened.number }, body })
  }
  const renew = (...all: ('unsigned' | 'document-refused' | 'issued')[]) =>
    inTransaction(async (tx) => {
      for (const news of all) await notifyOfRenewal(tx, portal.portal, { id: objects.renewal, person: recipient }, news)
    })
  const exportData = () =>
    inTransaction(async (tx) => {
      for (const news of ['ready', 'failed'] as const) await notifyOfExport(tx, portal.portal, recipient, news)
    })
  const block = () =>
    inTransaction((tx) =>
      notifyOfBlock(tx, portal.portal, { id: crypto.randomUUID(), ...recipient }, 'wrong-passwords'),
    )
  /**
   * For each feature: the text that names it in a mail, an action, and the numbers of mails about the action while the feature is on and
   * while it is off.
   */
  const mailCases: [Feature, string, () => Promise<unknown>, on: number, off: number][] = [
    ['documents', pages.documents.path, () => giveDocument(portal, owner.id), 1, 0],
    ['seals', pages.seals.path, () => makeSeal(portal, provider, [...pending]), 1, 0],
    ['vouchers', pages.myCases.path, endCase, 1, 1],
    ['renewal', '/renewal/', () => renew('unsigned', 'document-refused', 'issued'), 3, 1],
    ['signatures', 'połączysz', () => renew('issued'), 1, 1],
    ['data-export', pages.security.path, exportData, 2, 0],
    ['passkeys', 'kluczem dostępu', block, 1, 1],
  ]
  for (const [feature, name, act, ...counts] of mailCases)
    for (const isOff of [false, true]) {
      if (isOff) switchOff(feature, ...neededBy(feature))
      const before = portal.mails.length
      await act()
      await portal.deliver()
      const mails = portal.mails.slice(0, portal.mails.length - before).filter(({ to }) => to === owner.email)
      expect([feature, isOff, mails.length]).toEqual([feature, isOff, counts[Number(isOff)]])
      for (const { text } of mails) expect([feature, text.includes(name)]).toEqual([feature, !isOff])
      switchOff()
    }
})

/** The features, each with the text that names it and the mails that are sent also while it is off. */
const namingMails: [Feature, RegExp, (settings: Settings, locale: Locale) => { text: string }[]][] = [
  [
    'seals',
    /administrator|zawieś|and suspend|liście\s+użytkowników|list\s+of\s+users/,
    (settings, locale) => [
      lossReportedMail(settings, locale, { requested: [], seals: ['Firma'] }),
      fellowLossMail(settings, locale, ['Firma']),
      movedAccessMail(settings, locale, { organisation: 'Firma', product: 'app', number: 2, news: 'moved' }),
    ],
  ],
  ['passkeys', /klucze\s+dostępu|passkeys/, (settings, locale) => [erasedMail(settings, locale, null)]],
]

test.each(namingMails)('ERR-5 with %s off no mail names what the portal shows of them', (feature, name, mailsWith) => {
  for (const locale of locales)
    for (const featuresOff of [[], [feature]])
      for (const { text } of mailsWith({ ...portal.portal.settings, featuresOff }, locale))
        expect([locale, featuresOff, name.test(text)]).toEqual([locale, featuresOff, !featuresOff.length])
})

test('ERR-5 VCH-2 a renewal code leads nowhere while renewals are off, and is not a wrong one', async () => {
  const owner = await makeCustomer(portal)
  const browser = await signInAs(portal, owner)
  const { providerId } = await provider.give(owner)
  const { code } = await giveRenewalCode(portal, providerId)
  switchOff('renewal')
  for (let i = 0; i < limits.voucher.wrongPerAccount.limit + 1; i++)
    expect((await browser.call(redeemVoucher, { body: { code } })).problem).toMatchObject({
      code: 'unavailable',
      reason: 'switched-off',
    })
  switchOff()
  expect((await browser.call(redeemVoucher, { body: { code } })).body).toEqual({ kind: 'renewal' })
})

test('ERR-5 every page behind the sign-in can be switched off but home and those of the account', () => {
  const always: PageName[] = ['home', 'myData', 'security', 'changePassword']
  const own = (Object.keys(pages) as PageName[]).filter((name) => pages[name].needsSignIn && !always.includes(name))
  expect(offParts(featureNames)).toEqual(expect.arrayContaining(own))
})
