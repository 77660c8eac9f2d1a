import { expect, test } from 'vitest'
import { startStepUp } from '../../contract/account.ts'
import { readMyData, revealableNumbers, revealNumber } from '../../contract/my-data.ts'
import { openPortal } from '../testing/open-portal.ts'
import { sampleIdentification } from '../testing/portal-nodes.ts'
import { stepUp } from '../testing/browser.ts'
import { addCustomer, letIn } from '../testing/ready-customers.ts'

const portal = await openPortal()

test('DAT-1 R86 my data holds everything that is known, and of its numbers no more than the end', async () => {
  const person = await addCustomer(portal, { secondName: 'Świętosława', identification: sampleIdentification })
  const browser = await letIn(portal, person)
  const { body } = await browser.call(readMyData)
  expect(body).toEqual({
    id: expect.any(String),
    login: person.login,
    email: person.email,
    phone: `+48 ••• ••• ${person.phone.slice(-3)}`,
    firstName: 'Małgorzata',
    secondName: 'Świętosława',
    surname: 'Wiśniewska',
    identification: {
      ...sampleIdentification,
      identificationNumber: '••••••••458',
      document: { ...sampleIdentification.document, number: '••••••000' },
    },
  })
})

test('DAT-1 AUT-7 R84 each number is shown behind a fresh SMS code, and each time is recorded, without the number', async () => {
  const person = await addCustomer(portal, { identification: sampleIdentification })
  const browser = await letIn(portal, person)
  const { id } = (await browser.call(readMyData)).body
  const reveal = (number: (typeof revealableNumbers)[number]) =>
    browser.call(revealNumber, { params: { id }, body: { number } })
  for (const number of revealableNumbers) expect((await reveal(number)).problem.code).toBe('step-up-required')
  await stepUp(portal, browser, person, 'reveal-data', id)
  const values = []
  for (const number of revealableNumbers) values.push((await reveal(number)).body.value)
  expect(values).toEqual([person.phone, '44051401458', 'ABA300000'])
  const { rows } = await portal.owner.query(
    `select details from audit where account_id = $1 and act = 'personal-data-revealed' order by at, seq`,
    [id],
  )
  expect(rows.map(({ details }) => details as unknown)).toEqual(revealableNumbers.map((number) => ({ number })))
})

test('DAT-1 R34 where nothing is known there is nothing to show, and nobody’s numbers are shown to another', async () => {
  const person = await addCustomer(portal)
  const other = await addCustomer(portal, { identification: sampleIdentification })
  const browser = await letIn(portal, person)
  const { id, identification } = (await browser.call(readMyData)).body
  expect(identification).toBeNull()
  await stepUp(portal, browser, person, 'reveal-data', id)
  const nothing = await browser.call(revealNumber, { params: { id }, body: { number: 'document-number' } })
  expect([nothing.status, nothing.problem.code]).toEqual([404, 'not-found'])
  const { id: foreign } = (await (await letIn(portal, other)).call(readMyData)).body
  const body = { purpose: 'reveal-data' as const, object: foreign }
  expect((await browser.call(startStepUp, { body })).status).toBe(404)
})
