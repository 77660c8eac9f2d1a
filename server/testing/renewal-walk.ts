import type { Renewal } from '../../contract/renewal.ts'
import { openBrowser, type Person, type TestBrowser } from './browser.ts'
import { letIn } from './ready-customers.ts'
import { random, type Draw } from './random-draws.ts'
import { renewalActs } from './renewal-acts.ts'
import { expected, freshModel, onwards, type Act, type Model, type Seen } from './renewal-model.ts'
import type { RenewalHouse } from './sample-renewals.ts'
import type { TestProcess } from './processes.ts'

/** What a tab does, which may happen while the other one does another thing. */
const beside: Act['name'][] = ['save', 'fix', 'document', 'confirm', 'return', 'decline', 'finish', 'sign']
const all: Act['name'][] = [
  ...beside,
  ...(['open', 'start', 'sign-wrong', 'judge', 'agree', 'issue', 'not-issued', 'deliver', 'deliver-refused'] as const),
]

export type ModelRun = { steps: number; renewals: number; pairs: number; refused: number; ends: Record<string, number> }

/** A customer in two browsers, who renews until their wrong codes of a day are nearly spent. */
export type Customer = { person: Person; tabs: [TestBrowser, TestBrowser]; wrong: number; renewals: number }

/** As many wrong codes in a day as do not lock anybody out (R20). */
const wrongAtMost = 8

export async function newCustomer(house: RenewalHouse, draw: Draw): Promise<Customer> {
  const address = () => `203.0.${draw(256)}.${draw(256)}`
  const { person, browser } = await house.makeRenewer({ address: address() })
  const other = await letIn(house.portal, person, openBrowser(house.portal, { address: address() }))
  return { person, tabs: [browser, other], wrong: 0, renewals: 0 }
}

/** Runs random acts until that many steps are done; throws at the first difference, with the acts that led to it. */
export async function runRenewalModel(
  house: RenewalHouse,
  { steps, seed }: { steps: number; seed: number },
): Promise<ModelRun> {
  const draw = random(seed)
  const run: ModelRun = { steps: 0, renewals: 0, pairs: 0, refused: 0, ends: {} }
  let customer: Customer | undefined
  while (run.steps < steps) {
    if (!customer || customer.renewals === 25) customer = await newCustomer(house, draw)
    const walk = await startWalk(house, customer, draw)
    for (let here = 0; here < 60 && run.steps < steps && !walk.isOver(); here += 1) {
      const did = await walk.step()
      run.steps += did.steps
      run.refused += did.refused
      if (did.steps === 2) run.pairs += 1
    }
    const end = await walk.end()
    run.renewals += 1
    run.ends[end] = (run.ends[end] ?? 0) + 1
  }
  return run
}

/** Where a process that is to be killed stands in for a node. */
export const struckNode = 2

/** The renewal of one signature, step by step beside its model. `openedBy`: a process that is killed while it opens it. */
export async function startWalk(house: RenewalHouse, customer: Customer, draw: Draw, openedBy?: TestProcess) {
  const { person, tabs } = customer
  const renewable = await house.makeRenewableOf(person)
  customer.renewals += 1
  const acts = renewalActs(house, { person, tabs, renewalCode: renewable.code })
  let model: Model = freshModel
  let seen: [Seen, Seen] = [freshModel, freshModel]
  let sends = 0
  const trail: string[] = []

  const pick = <T>(list: readonly T[]) => list[draw(list.length)]!
  const actOf = (name: Act['name']): Act =>
    name === 'save' || name === 'fix' ? { name, years: pick([1, 2, 3] as const) } : { name }

  const fail = (what: string): never => {
    throw new Error(`${what}\n${trail.join('\n')}`)
  }

  const differences = (renewal: Renewal, { codes: _, saved: __, ...plain }: Model) => {
    const { agreement } = renewal
    const told: Record<keyof typeof plain, unknown> = {
      state: renewal.state,
      version: renewal.version,
      frozen: renewal.frozen,
      identity: renewal.identityCheck?.state ?? null,
      years: renewal.parameters.years,
      agreement: agreement?.signed ? plain.agreement : (agreement?.sha256 ?? null),
      signed: agreement?.signed ?? false,
    }
    return Object.entries(plain).flatMap(([name, value]) => {
      const is = told[name as keyof typeof told]
      return is === value ? [] : [`${name} is ${String(is)} and not ${String(value)}`]
    })
  }

  function compare(renewal: Renewal) {
    const [difference] = differences(renewal, model)
    if (difference) fail(difference)
  }

  const readAndCompare = async (node: number) => compare(await acts.read(draw(2) as 0 | 1, node))

  /** A tab mostly looks again after something was done, and sometimes goes on with what it saw before. */
  function look() {
    for (const tab of [0, 1] as const) if (draw(3)) seen[tab] = model
  }

  async function open() {
    const { says, renewal } = await acts.perform({ name: 'open' }, 0, { seen: seen[0], model }, 0)
    if (says !== 'ok') fail(`${says} was answered to the code`)
    compare(renewal!)
  }

  /** What leads nowhere, or back: rare, so that most walks come to an end. */
  function isInVain(name: Act['name']): boolean {
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

  function choose(): Act {
    for (;;) {
      const name = draw(4) ? pick(onwards[model.state]) : pick(all)
      if (name === 'start' && sends >= 5) continue
      if (name === 'sign-wrong' && customer.wrong >= wrongAtMost) continue
      if (isInVain(name) && draw(5)) continue
      if (name === 'start') sends += 1
      if (name === 'sign-wrong') customer.wrong += 1
      return draw(150) ? actOf(name) : { name: 'lapse' }
    }
  }

  async function alone(): Promise<{ steps: number; refused: number }> {
    const act = choose()
    const hasCode = act.name === 'sign' ? model.codes.indexOf(model.version) : -1
    const tab = hasCode >= 0 && draw(4) ? (hasCode as 0 | 1) : (draw(2) as 0 | 1)
    return doneAlone(act, tab)
  }

  async function doneAlone(act: Act, tab: 0 | 1) {
    trail.push(`${tab} ${JSON.stringify(act)} seen ${JSON.stringify(seen[tab])}`)
    const outcome = expected(model, act, tab, seen[tab], acts.nextAgreement())
    const { says, renewal } = await acts.perform(act, tab, { seen: seen[tab], model }, draw(2))
    if (says !== outcome.says) fail(`${says} was answered and not ${outcome.says}`)
    const isOpenedAnew = act.name === 'open' && model.state === 'expired'
    model = outcome.next
    if (isOpenedAnew) seen = [model, model]
    if (renewal) compare(renewal)
    else if (draw(3) === 0) await readAndCompare(draw(2))
    return { steps: 1, refused: says === 'ok' ? 0 : 1 }
  }

  /** Two at once, from two tabs, over two nodes: what comes of it is what one after the other would have come to. */
  async function pair() {
    const likely = onwards[model.state].filter((name) => beside.includes(name))
    const draws = (): Act => {
      const name = pick(likely.length && draw(2) ? likely : beside)
      return name === 'decline' && draw(6) ? draws() : actOf(name)
    }
    const acting = [draws(), draws()] as const
    trail.push(`${JSON.stringify(acting)} seen ${JSON.stringify(seen)}`)
    const nextAgreement = acts.nextAgreement()
    const said = await Promise.all(
      ([0, 1] as const).map((tab) => acts.perform(acting[tab], tab, { seen: seen[tab], model }, tab)),
    )
    const says = said.map((each) => each.says)
    trail.push(`  ${says.join(' ')}`)
    const orders = (
      [
        [0, 1],
        [1, 0],
      ] as const
    ).map(([first, second]) => {
      const one = expected(model, acting[first], first, seen[first], nextAgreement)
      const two = expected(one.next, acting[second], second, seen[second], nextAgreement)
      const outcomes = first === 0 ? [one, two] : [two, one]
      return { oks: outcomes.map((outcome) => outcome.says === 'ok').join(), next: two.next }
    })
    const oks = says.map((each) => each === 'ok').join()
    const fitting = orders.filter((order) => order.oks === oks)
    if (!fitting.length) fail(`${oks} is the outcome of no order`)
    const renewal = await acts.read(draw(2) as 0 | 1, draw(2))
    const now = fitting.find(({ next }) => differences(renewal, next).length === 0)
    model = now?.next ?? fail(`${renewal.state} ${renewal.version} is where no order leads`)
    return { steps: 2, refused: says.filter((each) => each !== 'ok').length }
  }

  /** What is left of an answer, when a process is killed at its point. */
  async function struck(act: Act, tab: 0 | 1, process: TestProcess) {
    const answering =
      act.name === 'deliver'
        ? Promise.race([process.ask('deliver').then(() => 'something'), process.gone.then(() => 'nothing')])
        : acts.perform(act, tab, { seen: seen[tab], model }, struckNode).then(
            ({ says }) => says,
            () => 'nothing',
          )
    const answered = await answering
    if (answered !== 'nothing') fail(`the process was not killed, and answered ${answered}`)
    await process.gone
  }

  if (openedBy) await struck({ name: 'open' }, 0, openedBy)
  await open()
  return {
    /** Whether an act would get on from here. */
    isReady: (name: Act['name']) =>
      ([0, 1] as const).some((tab) => {
        const { says, next } = expected(model, actOf(name), tab, model, '')
        // Who goes back from no agreement leaves none to be removed.
        const isWhole = name === 'start' ? sends < 5 : name !== 'return' || model.agreement !== null
        return says === 'ok' && next !== model && isWhole
      }),
    /** Does an act by a process that is killed in the middle of it: then it is done, or nothing is. */
    async strike(name: Act['name'], process: TestProcess): Promise<void> {
      const act = actOf(name)
      const tab = name === 'sign' && model.codes[1] === model.version ? 1 : 0
      seen = [model, model]
      trail.push(`${tab} ${JSON.stringify(act)} by a process that is killed`)
      const { next } = expected(model, act, tab, seen[tab], acts.nextAgreement())
      await struck(act, tab, process)
      // Its messages are free again when nobody can hold them any more.
      if (name === 'deliver') await house.advance(61)
      const renewal = await acts.read(tab, draw(2))
      const isDone = name !== 'start' && differences(renewal, next).length === 0
      if (isDone) {
        if (name === 'agree') acts.agreedUnheard()
        model = next
      }
      trail.push(isDone ? '  done' : '  not done')
      compare(renewal)
      // Whether there is a code cannot be seen: the customer asks for it again, and gets that one.
      // And another node takes up the messages that nobody holds any more.
      if (name === 'start' || name === 'deliver') await doneAlone(act, tab)
      look()
    },
    async step() {
      const did = draw(4) ? await alone() : await pair()
      look()
      return did
    },
    /** Nothing more can happen; a while after the end it is still tried. */
    isOver: () => ['finished', 'declined', 'failed'].includes(model.state) && draw(3) === 0,
    /** What stands at the end, after both nodes were asked. */
    async end(): Promise<string> {
      await readAndCompare(0)
      await readAndCompare(1)
      await house.portal.deliver()
      if (model.state === 'authorised') {
        model = expected(model, { name: 'deliver' }, 0, seen[0], '').next
        await readAndCompare(draw(2))
      }
      for (const wrong of await acts.wrongAtEnd(model)) fail(wrong)
      return model.state
    },
  }
}
