import { createHash } from 'node:crypto'
import { putSignature } from '../../contract/provider-api.ts'
import {
  downloadSignedAgreement,
  getProviderRenewal,
  judgeIdentity,
  reportIssued,
  reportNotIssued,
  type ProviderRenewal,
} from '../../contract/provider-renewals.ts'
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
} from '../../contract/renewal.ts'
import { contract, fileOf } from '../../pki/testing/pades-authorities.ts'
import { sampleIdentification } from './portal-nodes.ts'
import { smsCode, type Person, type TestBrowser } from './browser.ts'
import { chosen, read, type RenewalHouse } from './sample-renewals.ts'
import type { Act, Model, Seen } from './renewal-model.ts'

/** What was answered, and the renewal where it is what was answered. */
export type Said = { says: string; renewal?: Renewal }

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

type Acting = {
  person: Person
  tabs: readonly [TestBrowser, TestBrowser]
  renewalCode: string
}

/** The calls by which two tabs and the provider act on the renewal of one signature, and what the provider knows of it. */
export function renewalActs({ portal, service, provider, keys }: RenewalHouse, acting: Acting) {
  const { person, tabs, renewalCode } = acting
  let uid = ''
  let agreements = 0
  let codes: [string, string] = ['', '']
  /** What the provider was ever given to issue, by what makes an order another one; and what it issued for it. */
  const orders = new Map<string, { name: string; certificate: string }>()

  const pdfNumber = (number: number) => fileOf(contract, `/Info 7 0 R/Number(${uid} ${number})`)
  const bearer = { authorization: `Bearer ${portal.clientKey}` }

  function answered({ status, body, problem }: { status: number; body: unknown; problem: { code: string } }): Said {
    // A fault of the machine's is no outcome that the model knows.
    if (status >= 500) throw new Error(`${status} ${problem.code}`)
    if (status !== 200) return { says: problem.code }
    return { says: 'ok', ...(isRenewal(body) ? { renewal: body } : {}) }
  }

  /** A call through a node, of a tab that has seen the renewal like that. */
  async function perform(
    act: Act,
    tab: 0 | 1,
    { seen, model }: { seen: Seen; model: Model },
    node: number,
  ): Promise<Said> {
    const browser = tabs[tab]
    const params = { uid }
    const expectation = { state: seen.state, version: seen.version }
    const shown = { expected: expectation, sha256: seen.agreement ?? 'a'.repeat(64) }
    const bare = { params, body: { expected: expectation } }
    switch (act.name) {
      case 'open': {
        const answer = await browser.call(openRenewal, { body: { code: renewalCode } }, node)
        if (answer.status === 200) {
          const isAnother = answer.body.uid !== uid
          if (isAnother !== (uid === '' || model.state === 'expired')) return { says: `opened ${answer.body.uid}` }
          if (isAnother) codes = ['', '']
          ;({ uid } = answer.body)
        }
        return answered(answer)
      }
      case 'save': {
        const body = { expected: expectation, parameters: { ...chosen, years: act.years } }
        return answered(await browser.call(saveParameters, { params, body }, node))
      }
      case 'fix': {
        const body = { expected: expectation, parameters: { ...chosen, years: act.years }, shortenedTo: null }
        return answered(await browser.call(fixParameters, { params, body }, node))
      }
      case 'document': {
        const body = { expected: expectation, document: sampleIdentification.document }
        return answered(await browser.call(enterIdentityDocument, { params, body }, node))
      }
      case 'confirm':
        return answered(await browser.call(confirmPersonalData, bare, node))
      case 'return':
        return answered(await browser.call(returnToPersonalData, bare, node))
      case 'decline':
        return answered(await browser.call(declineAgreement, bare, node))
      case 'finish':
        return answered(await browser.call(finishRenewal, bare, node))
      case 'start': {
        const answer = await browser.call(startAgreementSigning, { params, body: shown }, node)
        if (answer.status === 200 && model.codes[tab] !== model.version) {
          await portal.deliver()
          codes[tab] = smsCode(portal, person.phone)
        }
        return answered(answer)
      }
      case 'sign':
      case 'sign-wrong': {
        const right = codes[tab] || '123456'
        const code = act.name === 'sign' ? right : `${(Number(right[0]) + 1) % 10}${right.slice(1)}`
        return answered(await browser.call(signAgreement, { params, body: { ...shown, code } }, node))
      }
      case 'judge': {
        const body = { document: sampleIdentification.document, verdict: 'confirmed' as const }
        const isNew = model.identity === 'asked'
        const answer = await browser.call(judgeIdentity, { params: { renewal: uid }, body }, node)
        // Said again, it is as it was.
        return !isNew && answer.status === 200 ? { says: 'state-passed' } : answered(answer)
      }
      case 'agree':
        return agree(browser, node)
      case 'issue':
        return issue(browser, node)
      case 'not-issued':
        return answered(await browser.call(reportNotIssued, { params: { renewal: uid }, body: { note: null } }, node))
      case 'deliver':
      case 'deliver-refused':
        if (act.name === 'deliver-refused') service.says = 'refused'
        await portal.deliver()
        delete service.says
        return { says: 'ok' }
      case 'lapse':
        await portal.owner.query(
          `update renewals set ends_at = portal_now() where id = $1 and state in ('parameters', 'personal-data', 'signing')`,
          [uid],
        )
        return { says: 'ok' }
    }
  }

  const asked = async (browser: TestBrowser) =>
    (await browser.call(getProviderRenewal, { params: { renewal: uid } })).body

  async function agree(browser: TestBrowser, node: number): Promise<Said> {
    const { state, termsSha256 } = await asked(browser)
    if (state !== 'signing') return { says: 'state-passed' }
    const response = await fetch(
      `${portal.nodes[node]!.origin}/provider/v1/renewals/${uid}/agreements/${termsSha256}`,
      {
        method: 'PUT',
        headers: { ...bearer, 'content-type': 'application/pdf' },
        body: pdfNumber(agreements + 1),
      },
    )
    const body = (await response.json()) as { code: string }
    if (response.status !== 200) return { says: body.code }
    agreements += 1
    return { says: 'ok' }
  }

  /** Issues for every order that it was not given before, which is what a second one would cost. */
  async function take({ renews, renewal, terms, termsSha256, signed }: ProviderRenewal) {
    const order = `${renews} ${renewal} ${termsSha256} ${signed!.sha256}`
    if (orders.has(order)) return orders.get(order)!
    const { subject, from, to } = terms!
    const { organisation: _, ...person_ } = subject
    const name = orders.size ? `renewal-${renewal}-${orders.size}` : `renewal-${renewal}`
    const issued = await provider.authority.issue({
      subject: { kind: 'person', ...person_ },
      publicKey: await keys.make(name, ''),
      notBefore: new Date(from!),
      notAfter: new Date(to),
      device: true,
    })
    const made = { name, certificate: Buffer.from(issued.certificate).toString('base64') }
    orders.set(order, made)
    return made
  }

  /** As a provider that does not know whether its last answer arrived: the same certificate under the same name. */
  async function issue(browser: TestBrowser, node: number): Promise<Said> {
    const order = await asked(browser)
    const taken = order.state === 'signed' ? await take(order) : [...orders.values()].at(-1)
    if (taken && order.state === 'signed') {
      const put = await browser.call(putSignature, {
        params: { signature: taken.name },
        body: {
          customer: person.id,
          product: 'app',
          identifierType: 'PNO',
          years: order.terms!.years,
          certificate: taken.certificate,
          chain: provider.authority.chain.map((one) => Buffer.from(one).toString('base64')),
          status: 'good',
          agreementLanguage: 'pl',
        },
      })
      if (put.status !== 200) throw new Error(JSON.stringify(put.problem))
    }
    const body = { signature: taken?.name ?? `renewal-${uid}` }
    return answered(await browser.call(reportIssued, { params: { renewal: uid }, body }, node))
  }

  return {
    perform,
    /** The hash that the next agreement will have. */
    nextAgreement: () => hashOf(pdfNumber(agreements + 1)),
    /** An agreement whose answer was lost lies there. */
    agreedUnheard: () => void (agreements += 1),
    read: (tab: 0 | 1, node: number) => read(tabs[tab], { uid }, node),
    /** What is wrong at the end: at most one order, and that of what was signed by code, which is whole and can be fetched. */
    async wrongAtEnd({ signed, agreement, state }: Model): Promise<string[]> {
      await portal.deliver()
      const order = await asked(tabs[0])
      if (order.state === 'signed') await take(order)
      const wrong: string[] = []
      if (orders.size > 1) wrong.push(`${orders.size} orders at the provider: ${[...orders.keys()].join(', ')}`)
      if (orders.size && !signed) wrong.push('an order that nobody signed')
      const { rows } = await portal.owner.query<{ issued: number; made: number }>(
        `select (select count(*)::int from signatures where account_id = r.account_id and provider_id like 'renewal-' || r.id || '%') as issued,
          (select count(*)::int from audit where account_id = r.account_id and act = 'renewal-signed' and details ->> 'renewal' = r.id::text) as made
        from renewals r where r.id = $1`,
        [uid],
      )
      const { issued, made } = rows[0]!
      if (issued > 1 || (issued === 0 && ['issued', 'finished'].includes(state))) wrong.push(`${issued} were issued`)
      if (made !== (signed ? 1 : 0)) wrong.push(`signed ${made} times`)
      if (!signed) return wrong
      const response = await fetch(portal.origin + downloadSignedAgreement.path.replace(':renewal', uid), {
        headers: bearer,
      })
      const pdf = new Uint8Array(await response.arrayBuffer())
      if (response.status !== 200 || hashOf(pdf) !== order.signed?.sha256) wrong.push('a signed agreement is lost')
      else if (hashOf(pdf.subarray(0, order.agreement!.bytes)) !== agreement) wrong.push('another agreement was signed')
      return wrong
    },
  }
}

const isRenewal = (body: unknown): body is Renewal =>
  typeof body === 'object' && body !== null && 'uid' in body && 'version' in body
