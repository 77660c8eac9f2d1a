import { describe, expect, test } from 'vitest'
import type { ProviderSeal } from '../../contract/provider/provider-seals.ts'
import type { Person } from '../testing/browser.ts'
import { auditEntries } from '../testing/audit-entries.ts'
import { addCustomer } from '../testing/samples/ready-customers.ts'
import { makeSeal, member } from '../testing/samples/sample-seals.ts'
import { remindOfSeals } from './seal-reminders.ts'
import { openPortalWithProvider } from '../testing/open-portal.ts'
import { runOnAllNodes } from '../testing/concurrency.ts'

const { portal, provider } = await openPortalWithProvider({ nodes: 2 })

const end = new Date('2027-03-01T11:00:00.000Z')
const before = (days: number) => new Date(end.getTime() - days * 86_400_000)
const psd2 = { roles: ['PSP_AI' as const], authority: { name: 'Financial Supervision Authority', id: 'PL-PFSA' } }

/** A seal that ends at `end`, stored when it was issued, with an Administrator. */
async function makeEnding(over: Partial<ProviderSeal> = {}, length = 365, others: Person[] = []) {
  await portal.clock.stopAt(before(length))
  const person = await addCustomer(portal, { locale: 'pl' })
  const members = [member(person), ...others.map((other) => member(other, 'user'))]
  const options = { from: before(length), to: end, ...(over.product === 'psd2-card' && { psd2 }), ...over }
  return { person, seal: await makeSeal(portal, provider, members, options) }
}

/** Newest first. */
const mailsTo = ({ email }: Person) =>
  portal.mails.filter(({ to, subject }) => to === email && /wygasa|expires/.test(subject))

/** How many mails a person has so many days before the end, with every node running the job twice at once. */
async function counts(person: Person, days: readonly number[]) {
  const found: number[] = []
  for (const left of days) {
    await portal.clock.stopAt(before(left))
    await runOnAllNodes(portal, remindOfSeals)
    await portal.deliver()
    found.push(mailsTo(person).length)
  }
  return found
}

describe('SEA-11 reminders of seals', () => {
  test('SEA-11 the Administrator is reminded once at each step, by any node, with the product', async () => {
    const { person, seal } = await makeEnding({ product: 'psd2-card' })
    expect(await counts(person, [61, 60, 59, 30, 14, 14, 7, 3, 1, 0])).toEqual([0, 1, 1, 2, 3, 3, 4, 5, 6, 6])
    const [{ subject, text, attachment } = { subject: '', text: '', attachment: undefined }] = mailsTo(person)
    expect(subject).toBe('Sygnet: pieczęć wygasa jutro')
    const plain = text.replaceAll('\u00a0', ' ')
    const parts = ['Pieczęć PSD2 na karcie', 'Stowarzyszenie Łączność', '1 marca 2027, 12:00', '/certificates/seals']
    for (const part of parts) expect(plain).toContain(part)
    expect(attachment!.content).toContain('\r\nDTSTART:20270301T110000Z\r\n')
    const entries = await auditEntries(portal, { login: person.login, action: 'seal-reminder-sent' })
    expect(entries).toHaveLength(6)
    expect(entries[0]!.details).toMatchObject({ seal: seal.id })
  })

  test('SEA-11 SIG-7 a short seal is announced in the second half of its validity only', async () => {
    expect(await counts((await makeEnding({ period: '30_days' }, 30)).person, [30, 16, 14, 7])).toEqual([0, 0, 1, 2])
    expect(await counts((await makeEnding({ period: '1_day' }, 1)).person, [1, 0.5, 0.1])).toEqual([0, 0, 0])
  })

  test('SEA-11 only active Administrators get it, not of a suspended seal, and the early ones only who wants them', async () => {
    const user = await addCustomer(portal, { locale: 'pl' })
    const { person } = await makeEnding({}, 365, [user])
    await portal.owner.query('update accounts set early_reminders = false where email = $1', [person.email])
    expect(await counts(person, [60, 30, 3])).toEqual([0, 0, 1])
    expect(mailsTo(user)).toEqual([])
    const { person: suspended } = await makeEnding({ status: 'suspended' })
    expect(await counts(suspended, [30])).toEqual([0])
    const { person: removed, seal } = await makeEnding()
    await portal.owner.query(`update seal_users set status = 'deleted', deleted_at = portal_now() where seal_id = $1`, [
      seal.id,
    ])
    expect(await counts(removed, [30])).toEqual([0])
  })
})
