import { hash } from 'node:crypto'
import { limits } from '../../../contract/limits.ts'
import {
  downloadSignedAgreement,
  getProviderRenewal,
  judgeIdentity,
  reportIssued,
  reportNotIssued,
  type ProviderRenewal,
} from '../../../contract/provider/provider-renewals.ts'
import {
  confirmPersonalData,
  declineAgreement,
  enterIdentityDocument,
  finishRenewal,
  fixParameters,
  openRenewal,
  returnToPersonalData,
  saveParameters,
  signAgreement,
  startAgreementSigning,
  type Renewal,
} from '../../../contract/renewal.ts'
import { contract, fileOf } from '../../../pki/testing/pades-authorities.ts'
import type { TestBrowser } from '../browser.ts'
import { sampleIdentification } from '../portal-nodes.ts'
import { chosen, read, type RenewalPortal } from '../samples/sample-renewals.ts'
import { smsCode } from '../sent-messages.ts'
import type { Person } from '../test-customers.ts'
import type { Action, Model, Seen } from './renewal-model.ts'

/** The answer to an action: `ok` or the code of the problem, and the renewal if the call returned it. */
export type ModelAnswer = { result: string; renewal?: Renewal }

/** Creates a renewal of one signature for a customer with two tabs, with the orders that the provider has received. */
export function newRenewal(
  renewalPortal: RenewalPortal,
  ofPerson: { person: Person; tabs: readonly [TestBrowser, TestBrowser]; renewalCode: string },
) {
  return {
    ...renewalPortal,
    ...ofPerson,
    uid: '',
    agreements: 0,
    /** The newest code of each tab. */
    codes: ['', ''] as [string, string],
    /** The certificate issued for each order of the provider, by everything that identifies the order. */
    orders: new Map<string, { name: string; certificate: string }>(),
  }
}

type TestedRenewal = ReturnType<typeof newRenewal>

function answerOf({
  status,
  body,
  problem,
}: {
  status: number
  body: unknown
  problem: { code: string }
}): ModelAnswer {
  // The model has no outcome for an internal error.
  if (status >= 500) throw new Error(`${status} ${problem.code}`)
  if (status !== 200) return { result: problem.code }
  return { result: 'ok', ...(isRenewal(body) ? { renewal: body } : {}) }
}

/** Performs an action by a call to a node, from a tab that last saw the renewal as `seen`. */
export async function perform(
  renewal: TestedRenewal,
  action: Action,
  tab: 0 | 1,
  { seen, model }: { seen: Seen; model: Model },
  node: number,
): Promise<ModelAnswer> {
  const { portal, service, uid } = renewal
  const browser = renewal.tabs[tab]
  const params = { uid }
  const expectation = { state: seen.state, version: seen.version }
  const shown = { expected: expectation, sha256: seen.agreement ?? 'a'.repeat(64) }
  const bare = { params, body: { expected: expectation } }
  switch (action.name) {
    case 'open':
      return open(renewal, browser, model, node)
    case 'save': {
      const body = { expected: expectation, parameters: { ...chosen, years: action.years } }
      return answerOf(await browser.call(saveParameters, { params, body }, node))
    }
    case 'fix': {
      const body = { expected: expectation, parameters: { ...chosen, years: action.years }, shortenedTo: null }
      return answerOf(await browser.call(fixParameters, { params, body }, node))
    }
    case 'document': {
      const body = { expected: expectation, document: sampleIdentification.document }
      return answerOf(await browser.call(enterIdentityDocument, { params, body }, node))
    }
    case 'confirm':
      return answerOf(await browser.call(confirmPersonalData, bare, node))
    case 'return':
      return answerOf(await browser.call(returnToPersonalData, bare, node))
    case 'decline':
      return answerOf(await browser.call(declineAgreement, bare, node))
    case 'finish':
      return answerOf(await browser.call(finishRenewal, bare, node))
    case 'start': {
      const answer = await browser.call(startAgreementSigning, { params, body: shown }, node)
      if (answer.status === 200 && model.codes[tab] !== model.version) {
        await portal.deliver()
        renewal.codes[tab] = smsCode(portal, renewal.person.phone)
      }
      return answerOf(answer)
    }
    case 'sign':
    case 'sign-wrong': {
      const right = renewal.codes[tab] || '123456'
      const code = action.name === 'sign' ? right : `${(Number(right[0]) + 1) % 10}${right.slice(1)}`
      const answer = await browser.call(signAgreement, { params, body: { ...shown, code } }, node)
      // The same request again would get this answer for some seconds (R112), which the model does not have.
      if (answer.status === 200) await renewal.advance(limits.code.repeatFor + 1)
      return answerOf(answer)
    }
    case 'judge': {
      const body = { document: sampleIdentification.document, verdict: 'confirmed' as const }
      const isNew = model.identity === 'asked'
      const answer = await browser.call(judgeIdentity, { params: { renewal: uid }, body }, node)
      // A repetition changes nothing.
      return !isNew && answer.status === 200 ? { result: 'state-passed' } : answerOf(answer)
    }
    case 'agree':
      return agree(renewal, browser, node)
    case 'issue':
      return issue(renewal, browser, node)
    case 'not-issued':
      return answerOf(await browser.call(reportNotIssued, { params: { renewal: uid }, body: { note: null } }, node))
    case 'deliver':
    case 'deliver-refused':
      if (action.name === 'deliver-refused') service.failure = 'refused'
      await portal.deliver()
      delete service.failure
      return { result: 'ok' }
    case 'lapse':
      await portal.owner.query(
        `update renewals set ends_at = portal_now() where id = $1 and state in ('parameters', 'personal-data', 'signing')`,
        [uid],
      )
      return { result: 'ok' }
  }
}

async function open(
  renewal: TestedRenewal,
  browser: TestBrowser,
  { state }: Model,
  node: number,
): Promise<ModelAnswer> {
  const answer = await browser.call(openRenewal, { body: { code: renewal.renewalCode } }, node)
  if (answer.status === 200) {
    const { uid } = answer.body
    const isAnother = uid !== renewal.uid
    if (isAnother !== (renewal.uid === '' || state === 'expired')) return { result: `opened ${uid}` }
    if (isAnother) renewal.codes = ['', '']
    renewal.uid = uid
  }
  return answerOf(answer)
}

const getOrder = async ({ uid }: TestedRenewal, browser: TestBrowser) =>
  (await browser.call(getProviderRenewal, { params: { renewal: uid } })).body

const bearer = ({ portal }: TestedRenewal) => ({ authorization: `Bearer ${portal.clientKey}` })

const nextAgreementFile = ({ uid, agreements }: TestedRenewal) =>
  fileOf(contract, `/Info 7 0 R/Number(${uid} ${agreements + 1})`)

/** Returns the hash that the next agreement will have. */
export const nextAgreement = (renewal: TestedRenewal) => hash('sha256', nextAgreementFile(renewal))

async function agree(renewal: TestedRenewal, browser: TestBrowser, node: number): Promise<ModelAnswer> {
  const { portal, uid } = renewal
  const { state, termsSha256 } = await getOrder(renewal, browser)
  if (state !== 'signing') return { result: 'state-passed' }
  const response = await fetch(`${portal.nodes[node]!.origin}/provider/v1/renewals/${uid}/agreements/${termsSha256}`, {
    method: 'PUT',
    headers: { ...bearer(renewal), 'content-type': 'application/pdf' },
    body: nextAgreementFile(renewal),
  })
  const body = (await response.json()) as { code: string }
  if (response.status !== 200) return { result: body.code }
  renewal.agreements += 1
  return { result: 'ok' }
}

/** Issues a certificate for every order that differs in anything, so that a duplicate order is noticed. */
async function fulfil(
  { orders, provider, keys }: TestedRenewal,
  { renews, renewal, terms, termsSha256, signed }: ProviderRenewal,
) {
  const order = `${renews} ${renewal} ${termsSha256} ${signed!.sha256}`
  if (orders.has(order)) return orders.get(order)!
  const { subject, from, to } = terms!
  const { organisation: _, ...holder } = subject
  const name = orders.size ? `renewal-${renewal}-${orders.size}` : `renewal-${renewal}`
  const issued = await provider.authority.issue({
    subject: { kind: 'person', ...holder },
    publicKey: await keys.make(name, ''),
    notBefore: new Date(from!),
    notAfter: new Date(to),
    device: true,
  })
  const fulfilled = { name, certificate: Buffer.from(issued.certificate).toString('base64') }
  orders.set(order, fulfilled)
  return fulfilled
}

/**
 * Puts the ordered certificate and reports it as issued. A repetition puts the same certificate under the same name, like a provider that
 * does not know whether its last answer arrived.
 */
async function issue(renewal: TestedRenewal, browser: TestBrowser, node: number): Promise<ModelAnswer> {
  const { provider, person, orders, uid } = renewal
  const order = await getOrder(renewal, browser)
  const fulfilled = order.state === 'signed' ? await fulfil(renewal, order) : [...orders.values()].at(-1)
  if (fulfilled && order.state === 'signed')
    await provider.give(person, {
      signature: fulfilled.name,
      certificate: fulfilled.certificate,
      period: order.terms!.period,
    })
  const body = { signature: fulfilled?.name ?? `renewal-${uid}` }
  return answerOf(await browser.call(reportIssued, { params: { renewal: uid }, body }, node))
}

export const readRenewal = ({ tabs, uid }: TestedRenewal, tab: 0 | 1, node: number) => read(tabs[tab], { uid }, node)

/** Checks at the end that there is at most one order, and that the agreement that was signed by code is stored whole. */
export async function findErrors(renewal: TestedRenewal, { signed, agreement, state }: Model): Promise<string[]> {
  const { portal, tabs, uid, orders } = renewal
  await portal.deliver()
  const order = await getOrder(renewal, tabs[0])
  if (order.state === 'signed') await fulfil(renewal, order)
  const errors: string[] = []
  if (orders.size > 1) errors.push(`${orders.size} orders at the provider: ${[...orders.keys()].join(', ')}`)
  if (orders.size && !signed) errors.push('an order that nobody signed')
  const { rows } = await portal.owner.query<{ issued: number; made: number }>(
    `select (select count(*)::int from signatures where account_id = r.account_id and provider_id like 'renewal-' || r.id || '%') as issued,
      (select count(*)::int from audit where account_id = r.account_id and act = 'renewal-signed' and details ->> 'renewal' = r.id::text) as made
    from renewals r where r.id = $1`,
    [uid],
  )
  const { issued, made } = rows[0]!
  if (issued > 1 || (issued === 0 && ['issued', 'finished'].includes(state))) errors.push(`${issued} were issued`)
  if (made !== (signed ? 1 : 0)) errors.push(`signed ${made} times`)
  if (!signed) return errors
  const response = await fetch(portal.origin + downloadSignedAgreement.path.replace(':renewal', uid), {
    headers: bearer(renewal),
  })
  const pdf = new Uint8Array(await response.arrayBuffer())
  if (response.status !== 200 || hash('sha256', pdf) !== order.signed?.sha256) errors.push('a signed agreement is lost')
  else if (hash('sha256', pdf.subarray(0, order.agreement!.bytes)) !== agreement)
    errors.push('another agreement was signed')
  return errors
}

const isRenewal = (body: unknown): body is Renewal =>
  typeof body === 'object' && body !== null && 'uid' in body && 'version' in body
