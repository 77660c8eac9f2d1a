import { expect, test } from 'vitest'
import { blockCustomer, putCustomer } from '../../contract/provider/provider-api.ts'
import { register } from '../../contract/registration.ts'
import { openPortal } from '../testing/open-portal.ts'
import { samplePerson } from '../testing/portal-nodes.ts'
import { makeCustomer, openBrowser } from '../testing/browser.ts'
import { registrationForm } from '../testing/samples/registration-forms.ts'
import { watchWork } from '../testing/work-watch.ts'

const portal = await openPortal({ nodes: 2 })

const states = ['active', 'absent', 'blocked', 'not activated', 'unconfirmed'] as const

/** The e-mail of somebody whose account is in the state; the absent one has none. */
async function emailIn(state: (typeof states)[number]): Promise<string> {
  const browser = openBrowser(portal, { address: '192.0.2.250' })
  if (state === 'active' || state === 'blocked') {
    const person = await makeCustomer(portal)
    if (state === 'blocked') await browser.call(blockCustomer, { params: { customer: person.id } })
    return person.email
  }
  const person = samplePerson()
  const params = { customer: `c-${crypto.randomUUID()}` }
  if (state === 'not activated') await browser.call(putCustomer, { params, body: person })
  if (state === 'unconfirmed') await browser.call(register, { body: registrationForm({ email: person.email }) })
  await portal.deliver()
  return person.email
}

/** All that an attacker sees of an answer; names of registrations are as random for a known e-mail as for any other. */
async function see(answer: Response) {
  const headers = [...answer.headers].filter(([name]) => name !== 'date' && name !== 'x-request-id')
  const body = (await answer.text()).replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, 'random')
  return { status: answer.status, headers, body }
}

test('REG-4 R14 R15 R29 a registration is answered the same for the same work in every state, limits included, and looks at no account', async () => {
  const emails: Record<string, string> = {}
  await portal.clock.stopAt(new Date('2027-03-04T05:06:07Z'))
  for (const state of states) emails[state] = await emailIn(state)
  // What was asked for then is no longer counted; stopped, so that answers which name a time can be compared to the byte.
  await portal.clock.stopAt(new Date('2027-03-04T09:06:07Z'))
  const take = watchWork()
  const all: Record<string, { seen: unknown[]; work: ReturnType<typeof take>[] }> = {}
  for (const [i, state] of states.entries()) {
    const email = emails[state]!
    const seen: unknown[] = []
    const work: ReturnType<typeof take>[] = []
    for (let attempt = 0; attempt < 8; attempt++) {
      const browser = openBrowser(portal, { address: `192.0.2.${i}`, node: attempt % 2 })
      const botProof = attempt === 3 ? 'robot' : crypto.randomUUID()
      take()
      seen.push(await see(await browser.raw('POST', register.path, registrationForm({ email, botProof }))))
      work.push(take())
    }
    all[state] = { seen, work }
  }
  for (const state of states) {
    expect([state, all[state]!.seen]).toEqual([state, all['active']!.seen])
    expect([state, all[state]!.work]).toEqual([state, all['active']!.work])
    for (const { statements, hashes } of all[state]!.work) {
      expect(hashes).toEqual([])
      for (const statement of statements) expect(statement).not.toMatch(/accounts|links|consents/)
    }
  }
  expect(all['active']!.seen.map((answer) => (answer as { status: number }).status)).toEqual([
    200, 200, 200, 422, 200, 429, 429, 429,
  ])
  // Nothing has been sent yet to anybody; then every mailbox gets the same number of mails.
  const mailsTo = (email: string) => portal.mails.filter(({ to }) => to === email).length
  const before = Object.fromEntries(states.map((state) => [state, mailsTo(emails[state]!)]))
  await portal.deliver()
  const sent = states.map((state) => mailsTo(emails[state]!) - before[state]!)
  expect(sent).toEqual([3, 3, 3, 3, 3])
})
