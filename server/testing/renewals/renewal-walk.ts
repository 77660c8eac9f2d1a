import type { Renewal } from '../../../contract/renewal.ts'
import { openBrowser, type TestBrowser } from '../browser.ts'
import { random, type Draw } from '../samples/fuzz-values.ts'
import { signInDirectly } from '../samples/ready-customers.ts'
import type { RenewalPortal } from '../samples/sample-renewals.ts'
import type { Person } from '../test-customers.ts'
import * as actions from './renewal-actions.ts'
import { expected, freshModel, progress, type Action, type Model, type Seen } from './renewal-model.ts'

/** Actions that two tabs may take at the same time. */
const concurrent: Action['name'][] = ['save', 'fix', 'document', 'confirm', 'return', 'decline', 'finish', 'sign']
const all: Action['name'][] = [
  ...concurrent,
  ...(['open', 'start', 'sign-wrong', 'judge', 'agree', 'issue', 'not-issued', 'deliver', 'deliver-refused'] as const),
]

export type ModelRun = { steps: number; renewals: number; pairs: number; refused: number; ends: Record<string, number> }

/** A customer with two browsers, who renews until a day's wrong codes are nearly used up. */
type Customer = { person: Person; tabs: [TestBrowser, TestBrowser]; wrong: number; renewals: number }

/** Number of wrong codes in a day that does not block the customer yet (R20). */
const maxWrongCodes = 8

async function createCustomer(renewalPortal: RenewalPortal, draw: Draw): Promise<Customer> {
  const address = () => `203.0.${draw(256)}.${draw(256)}`
  const { person, browser } = await renewalPortal.makeRenewer({ address: address() })
  const second = await signInDirectly(
    renewalPortal.portal,
    person,
    openBrowser(renewalPortal.portal, { address: address() }),
  )
  return { person, tabs: [browser, second], wrong: 0, renewals: 0 }
}

/** Runs random actions for that many steps; throws at the first difference, with the actions that led to it. */
export async function runRenewalModel(
  renewalPortal: RenewalPortal,
  { steps, seed }: { steps: number; seed: number },
): Promise<ModelRun> {
  const draw = random(seed)
  const run: ModelRun = { steps: 0, renewals: 0, pairs: 0, refused: 0, ends: {} }
  let customer: Customer | undefined
  while (run.steps < steps) {
    if (!customer || customer.renewals === 25) customer = await createCustomer(renewalPortal, draw)
    const walk = await startWalk(renewalPortal, customer, draw)
    for (let i = 0; i < 60 && run.steps < steps && !isOver(walk); i += 1) {
      const done = await step(walk)
      run.steps += done.steps
      run.refused += done.refused
      if (done.steps === 2) run.pairs += 1
    }
    const end = await finish(walk)
    run.renewals += 1
    run.ends[end] = (run.ends[end] ?? 0) + 1
  }
  return run
}

/** The renewal of one signature, step by step with its model. */
type Walk = {
  renewalPortal: RenewalPortal
  customer: Customer
  renewal: ReturnType<typeof actions.newRenewal>
  draw: Draw
  model: Model
  /** State of the renewal that each tab last saw. */
  seen: [Seen, Seen]
  sends: number
  /** The actions so far. */
  trail: string[]
}

async function startWalk(renewalPortal: RenewalPortal, customer: Customer, draw: Draw): Promise<Walk> {
  const { person, tabs } = customer
  const { code } = await renewalPortal.makeRenewableOf(person)
  customer.renewals += 1
  const renewal = actions.newRenewal(renewalPortal, { person, tabs, renewalCode: code })
  const seen: Walk['seen'] = [freshModel, freshModel]
  const walk = { renewalPortal, customer, renewal, draw, model: freshModel, seen, sends: 0, trail: [] }
  const opened = await actions.perform(renewal, { name: 'open' }, 0, { seen: freshModel, model: freshModel }, 0)
  if (opened.result !== 'ok') fail(walk, `${opened.result} is the answer to the code`)
  compare(walk, opened.renewal!)
  return walk
}

async function step(walk: Walk) {
  const { draw } = walk
  const done = draw(4) ? await performOne(walk) : await performPair(walk)
  // A tab usually reads the renewal again after an action, and sometimes continues with what it saw before.
  for (const tab of [0, 1] as const) if (draw(3)) walk.seen[tab] = walk.model
  return done
}

/** Checks whether the renewal has ended; returns false at random, so that some actions are tried after the end too. */
const isOver = ({ model, draw }: Walk) => ['finished', 'declined', 'failed'].includes(model.state) && draw(3) === 0

/** Checks the final state, which both nodes must report, and returns it. */
async function finish(walk: Walk): Promise<string> {
  await readAndCompare(walk, 0)
  await readAndCompare(walk, 1)
  await walk.renewalPortal.portal.deliver()
  if (walk.model.state === 'authorised') {
    walk.model = expected(walk.model, { name: 'deliver' }, 0, walk.seen[0], '').next
    await readAndCompare(walk, walk.draw(2))
  }
  for (const error of await actions.findErrors(walk.renewal, walk.model)) fail(walk, error)
  return walk.model.state
}

function fail({ trail }: Walk, what: string): never {
  throw new Error(`${what}\n${trail.join('\n')}`)
}

const differences = (renewal: Renewal, { codes: _, saved: __, ...plain }: Model) => {
  const { agreement } = renewal
  const shown: Record<keyof typeof plain, unknown> = {
    state: renewal.state,
    version: renewal.version,
    frozen: renewal.isFinal,
    identity: renewal.identityCheck?.state ?? null,
    years: renewal.parameters.years,
    agreement: agreement?.isSigned ? plain.agreement : (agreement?.sha256 ?? null),
    signed: agreement?.isSigned ?? false,
  }
  return Object.entries(plain).flatMap(([name, value]) => {
    const is = shown[name as keyof typeof shown]
    return is === value ? [] : [`${name} is ${String(is)} and not ${String(value)}`]
  })
}

function compare(walk: Walk, renewal: Renewal) {
  const [difference] = differences(renewal, walk.model)
  if (difference) fail(walk, difference)
}

const readAndCompare = async (walk: Walk, node: number) =>
  compare(walk, await actions.readRenewal(walk.renewal, walk.draw(2) as 0 | 1, node))

const pick = <T>(draw: Draw, list: readonly T[]) => list[draw(list.length)]!

const actionOf = (draw: Draw, name: Action['name']): Action =>
  name === 'save' || name === 'fix' ? { name, years: pick(draw, [1, 2, 3] as const) } : { name }

/** Checks whether an action makes no progress; such actions are rare, so that most walks reach an end. */
function isWithoutProgress(model: Model, name: Action['name']): boolean {
  switch (name) {
    case 'fix':
    case 'confirm':
      return model.identity === 'asked'
    case 'agree':
      return model.agreement !== null
    case 'start':
      return model.agreement === null || model.codes.includes(model.version)
    case 'sign':
      return !model.codes.includes(model.version)
    default:
      return name === 'return' || name === 'decline'
  }
}

function choose(walk: Walk): Action {
  const { draw, model, customer } = walk
  for (;;) {
    const name = draw(4) ? pick(draw, progress[model.state]) : pick(draw, all)
    if (name === 'start' && walk.sends >= 5) continue
    if (name === 'sign-wrong' && customer.wrong >= maxWrongCodes) continue
    if (isWithoutProgress(model, name) && draw(5)) continue
    if (name === 'start') walk.sends += 1
    if (name === 'sign-wrong') customer.wrong += 1
    return draw(150) ? actionOf(draw, name) : { name: 'lapse' }
  }
}

async function performOne(walk: Walk): Promise<{ steps: number; refused: number }> {
  const { draw, model, renewal, trail } = walk
  const action = choose(walk)
  const hasCode = action.name === 'sign' ? model.codes.indexOf(model.version) : -1
  const tab = hasCode >= 0 && draw(4) ? (hasCode as 0 | 1) : (draw(2) as 0 | 1)
  const seen = walk.seen[tab]
  trail.push(`${tab} ${JSON.stringify(action)} seen ${JSON.stringify(seen)}`)
  const outcome = expected(model, action, tab, seen, actions.nextAgreement(renewal))
  const answer = await actions.perform(renewal, action, tab, { seen, model }, draw(2))
  if (answer.result !== outcome.result) fail(walk, `${answer.result} is the result, not ${outcome.result}`)
  walk.model = outcome.next
  if (action.name === 'open' && model.state === 'expired') walk.seen = [outcome.next, outcome.next]
  if (answer.renewal) compare(walk, answer.renewal)
  else if (draw(3) === 0) await readAndCompare(walk, draw(2))
  return { steps: 1, refused: answer.result === 'ok' ? 0 : 1 }
}

/** Performs two actions at once, from two tabs through two nodes: the result must be that of one of the two orders. */
async function performPair(walk: Walk) {
  const { draw, model, seen, renewal: tested, trail } = walk
  const likely = progress[model.state].filter((name) => concurrent.includes(name))
  const drawAction = (): Action => {
    const name = pick(draw, likely.length && draw(2) ? likely : concurrent)
    return name === 'decline' && draw(6) ? drawAction() : actionOf(draw, name)
  }
  const pair = [drawAction(), drawAction()] as const
  trail.push(`${JSON.stringify(pair)} seen ${JSON.stringify(seen)}`)
  const nextAgreement = actions.nextAgreement(tested)
  const answers = await Promise.all(
    ([0, 1] as const).map((tab) => actions.perform(tested, pair[tab], tab, { seen: seen[tab], model }, tab)),
  )
  const results = answers.map(({ result }) => result)
  trail.push(`  ${results.join(' ')}`)
  const orders = (
    [
      [0, 1],
      [1, 0],
    ] as const
  ).map(([first, second]) => {
    const earlier = expected(model, pair[first], first, seen[first], nextAgreement)
    const later = expected(earlier.next, pair[second], second, seen[second], nextAgreement)
    const outcomes = first === 0 ? [earlier, later] : [later, earlier]
    return { oks: outcomes.map((outcome) => outcome.result === 'ok').join(), next: later.next }
  })
  const oks = results.map((result) => result === 'ok').join()
  const fitting = orders.filter((order) => order.oks === oks)
  if (!fitting.length) fail(walk, `${oks} follows from neither order`)
  const renewal = await actions.readRenewal(tested, draw(2) as 0 | 1, draw(2))
  const now = fitting.find(({ next }) => differences(renewal, next).length === 0)
  walk.model = now?.next ?? fail(walk, `${renewal.state} ${renewal.version} follows from neither order`)
  return { steps: 2, refused: results.filter((result) => result !== 'ok').length }
}
