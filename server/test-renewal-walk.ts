import { createHash } from 'node:crypto'
import { putSignature } from '../contract/provider-api.ts'
import { getProviderRenewal, judgeIdentity, reportIssued } from '../contract/provider-renewals.ts'
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
} from '../contract/renewal.ts'
import { contractPdf } from '../pki/test-pades-signer.ts'
import { sampleIdentification } from './test-app.ts'
import { openBrowser, signInAs, smsCode, type Answer, type TestBrowser } from './test-browser.ts'
import { chosen, opened, read, type RenewalHouse } from './test-renewals.ts'
import { expected, type Act, type Model, type Seen } from './test-renewal-model.ts'

/** The same numbers for the same seed (mulberry32). */
function random(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

const alone: Act['name'][] = [
  'open',
  'start',
  'sign-wrong',
  'judge',
  'agree',
  'agree',
  'issue',
  'deliver',
  'deliver-refused',
]
const beside: Act['name'][] = [
  'save',
  'save',
  'fix',
  'document',
  'confirm',
  'confirm',
  'return',
  'decline',
  'finish',
  'sign',
]

export type ModelRun = { steps: number; renewals: number; pairs: number; refused: number; ends: Record<string, number> }

/** Runs random acts until that many steps are done; throws at the first difference, with the acts that led to it. */
export async function runRenewalModel(
  house: RenewalHouse,
  { steps, seed }: { steps: number; seed: number },
): Promise<ModelRun> {
  const draw = random(seed)
  const run: ModelRun = { steps: 0, renewals: 0, pairs: 0, refused: 0, ends: {} }
  while (run.steps < steps) {
    const end = await runOne(house, draw, run, steps)
    run.renewals += 1
    run.ends[end] = (run.ends[end] ?? 0) + 1
  }
  return run
}

async function runOne(house: RenewalHouse, draw: (below: number) => number, run: ModelRun, steps: number) {
  const { portal, service, provider, keys } = house
  const pick = <T>(list: readonly T[]) => list[draw(list.length)]!
  const address = () => `203.0.${draw(256)}.${draw(256)}`
  const renewing = await house.makeRenewable({ address: address() })
  const { person, code: renewalCode } = renewing
  const tabs: [TestBrowser, TestBrowser] = [
    renewing.browser,
    await signInAs(portal, person, openBrowser(portal, { address: address() })),
  ]
  const { uid } = await opened({ browser: tabs[0], code: renewalCode })
  let model: Model = {
    state: 'parameters',
    version: 1,
    years: 2,
    frozen: false,
    identity: null,
    agreement: null,
    codes: [null, null],
    signed: false,
  }
  const seen: [Seen, Seen] = [{ ...model }, { ...model }]
  const codes: [string, string] = ['', '']
  const trail: string[] = []
  let sends = 0
  let wrong = 0
  let agreements = 0
  let certificate: string | undefined

  const pdfNumber = (number: number) =>
    Buffer.concat([Buffer.from(contractPdf()), Buffer.from(`\n% ${uid} ${number}\n`)])
  const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

  async function perform(act: Act, tab: 0 | 1): Promise<string> {
    const browser = tabs[tab]
    const params = { uid }
    const { state, version, agreement } = seen[tab]
    const expectation = { state, version }
    const shown = { expected: expectation, sha256: agreement ?? 'a'.repeat(64) }
    const said = (answer: { status: number; problem: { code: string } }) =>
      answer.status === 200 ? 'ok' : answer.problem.code
    const bare = { params, body: { expected: expectation } }
    switch (act.name) {
      case 'open':
        return said(await browser.call(openRenewal, { body: { code: renewalCode } }, tab))
      case 'save':
        return said(
          await browser.call(
            saveParameters,
            { params, body: { expected: expectation, parameters: { ...chosen, years: act.years } } },
            tab,
          ),
        )
      case 'fix': {
        const body = { expected: expectation, parameters: { ...chosen, years: act.years }, shortenedTo: null }
        return said(await browser.call(fixParameters, { params, body }, tab))
      }
      case 'document': {
        const { document } = sampleIdentification
        return said(
          await browser.call(enterIdentityDocument, { params, body: { expected: expectation, document } }, tab),
        )
      }
      case 'confirm':
        return said(await browser.call(confirmPersonalData, bare, tab))
      case 'return':
        return said(await browser.call(returnToPersonalData, bare, tab))
      case 'decline':
        return said(await browser.call(declineAgreement, bare, tab))
      case 'finish':
        return said(await browser.call(finishRenewal, bare, tab))
      case 'start': {
        const answer = await browser.call(startAgreementSigning, { params, body: shown }, tab)
        if (answer.status === 200 && model.codes[tab] !== model.version) {
          await portal.deliver()
          codes[tab] = smsCode(portal, person.phone)
        }
        return said(answer)
      }
      case 'sign':
      case 'sign-wrong': {
        const right = codes[tab] || '123456'
        const code = act.name === 'sign' ? right : `${(Number(right[0]) + 1) % 10}${right.slice(1)}`
        return said(await browser.call(signAgreement, { params, body: { ...shown, code } }, tab))
      }
      case 'judge': {
        const body = { document: sampleIdentification.document, verdict: 'confirmed' as const }
        const isNew = model.identity === 'asked'
        const answer = await browser.call(judgeIdentity, { params: { renewal: uid }, body }, tab)
        // Said again, it is as it was.
        return !isNew && answer.status === 200 ? 'state-passed' : said(answer)
      }
      case 'agree': {
        const { body } = await browser.call(getProviderRenewal, { params: { renewal: uid } }, tab)
        if (body.state !== 'signing') return 'state-passed'
        const response = await browser.raw(
          'PUT',
          `/provider/v1/renewals/${uid}/agreements/${body.termsSha256}`,
          pdfNumber(agreements + 1),
          { authorization: `Bearer ${portal.clientKey}`, 'content-type': 'application/pdf' },
        )
        if (response.status === 200) agreements += 1
        return response.status === 200 ? 'ok' : ((await response.json()) as { code: string }).code
      }
      case 'issue':
        return issue(browser, tab)
      case 'deliver':
      case 'deliver-refused':
        if (act.name === 'deliver-refused') service.says = 'refused'
        await portal.deliver()
        delete service.says
        return 'ok'
    }
  }

  /** As a provider that does not know whether its last answer arrived: the same certificate under the same name. */
  async function issue(browser: TestBrowser, tab: 0 | 1) {
    const signature = `renewal-${uid}`
    const { body: order } = await browser.call(getProviderRenewal, { params: { renewal: uid } }, tab)
    if (order.state === 'signed' || certificate) {
      const { subject, from, to } = order.terms!
      const { organisation: _, ...person_ } = subject
      certificate ??= Buffer.from(
        (
          await provider.authority.issue({
            subject: { kind: 'person', ...person_ },
            publicKey: await keys.make(signature, person.id),
            notBefore: new Date(from!),
            notAfter: new Date(to),
            device: true,
          })
        ).certificate,
      ).toString('base64')
      const put = await browser.call(putSignature, {
        params: { signature },
        body: {
          customer: person.id,
          product: 'app',
          identifierType: 'PNO',
          years: order.terms!.years,
          certificate,
          chain: provider.authority.chain.map((one) => Buffer.from(one).toString('base64')),
          status: 'good',
          agreementLanguage: 'pl',
        },
      })
      if (put.status !== 200) throw new Error(JSON.stringify(put.problem))
    }
    const answer: Answer<typeof reportIssued> = await browser.call(
      reportIssued,
      { params: { renewal: uid }, body: { signature } },
      tab,
    )
    return answer.status === 200 ? 'ok' : answer.problem.code
  }

  const fail = (what: string): never => {
    throw new Error(`${what}\n${trail.join('\n')}`)
  }

  async function compare(node: 0 | 1) {
    const renewal: Renewal = await read(tabs[node], { uid }, node)
    const told = {
      state: renewal.state,
      version: renewal.version,
      frozen: renewal.frozen,
      identity: renewal.identityCheck?.state ?? null,
      years: renewal.parameters.years,
      agreement: renewal.agreement && !renewal.agreement.signed ? renewal.agreement.sha256 : model.agreement,
      signed: renewal.agreement?.signed ?? false,
    }
    const { codes: _, ...plain } = model
    for (const [name, value] of Object.entries(plain))
      if (told[name as keyof typeof told] !== value)
        fail(`${name} is ${String(told[name as keyof typeof told])} and not ${String(value)}`)
    return renewal
  }

  const actOf = (name: Act['name']): Act =>
    name === 'save' || name === 'fix' ? { name, years: pick([1, 2, 3] as const) } : { name }
  const isPossible = (name: Act['name']) => (name !== 'start' || sends < 5) && (name !== 'sign-wrong' || wrong < 2)

  for (let here = 0; here < 60 && run.steps < steps; here += 1) {
    const tab = draw(2) as 0 | 1
    const nextAgreement = hashOf(pdfNumber(agreements + 1))
    if (draw(4) === 0) {
      // Two at once, from two tabs, over two nodes: what comes of it is what one after the other would have come to.
      const pair = [actOf(pick(beside)), actOf(pick(beside))] as const
      trail.push(`${JSON.stringify(pair)} seen ${JSON.stringify(seen)}`)
      const says = await Promise.all([perform(pair[0], 0), perform(pair[1], 1)])
      trail.push(`  ${says.join(' ')}`)
      const orders = (
        [
          [0, 1],
          [1, 0],
        ] as const
      ).map(([first, second]) => {
        const one = expected(model, pair[first], first, seen[first], nextAgreement)
        const two = expected(one.next, pair[second], second, seen[second], nextAgreement)
        const outcomes = first === 0 ? [one, two] : [two, one]
        return { oks: outcomes.map((outcome) => outcome.says === 'ok').join(), next: two.next }
      })
      const oks = says.map((one) => one === 'ok').join()
      const fitting = orders.filter((order) => order.oks === oks)
      if (!fitting.length) fail(`${oks} is the outcome of no order`)
      const { state, version, parameters } = await read(tabs[tab], { uid }, tab)
      const now = fitting.find(
        ({ next }) => next.state === state && next.version === version && next.years === parameters.years,
      )
      model = now?.next ?? fail(`${state} ${version} is where no order leads`)
      run.pairs += 1
      run.steps += 2
      run.refused += says.filter((one) => one !== 'ok').length
    } else {
      const name = pick(draw(2) ? alone : beside)
      if (!isPossible(name)) continue
      const act = actOf(name)
      if (name === 'start') sends += 1
      if (name === 'sign-wrong') wrong += 1
      trail.push(`${tab} ${JSON.stringify(act)} seen ${JSON.stringify(seen[tab])}`)
      const { says, next } = expected(model, act, tab, seen[tab], nextAgreement)
      const said = await perform(act, tab)
      if (said !== says) fail(`${said} was answered and not ${says}`)
      model = next
      run.steps += 1
      if (said !== 'ok') run.refused += 1
    }
    const renewal = await compare(draw(2) as 0 | 1)
    // A tab mostly looks again after it acted, and sometimes goes on with what it saw before.
    for (const one of [0, 1] as const)
      if (draw(3)) seen[one] = { state: renewal.state, version: renewal.version, agreement: model.agreement }
    if (['finished', 'declined'].includes(model.state) && draw(3) === 0) break
  }
  await portal.deliver()
  const { rows } = await portal.owner.query<{ orders: number; files: number }>(
    `select (select count(*)::int from signatures where provider_id = $1) as orders,
      (select count(*)::int from document_keys k join renewals r on k.document in (r.agreement_key, r.signed_key) where r.id = $2) as files`,
    [`renewal-${uid}`, uid],
  )
  const { orders, files } = rows[0]!
  if (orders > 1 || (orders === 1 && !model.signed)) fail(`${orders} certificates were issued`)
  if (model.signed && files < 2) fail('a signed agreement is lost')
  return model.state
}
