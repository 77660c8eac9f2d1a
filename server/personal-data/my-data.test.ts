import { expect, test } from 'vitest'
import { readMyData } from '../../contract/my-data.ts'
import { openPortal } from '../testing/open-portal.ts'
import { sampleIdentification } from '../testing/portal-nodes.ts'
import { addCustomer, letIn } from '../testing/samples/ready-customers.ts'

const portal = await openPortal()

test('DAT-1 DAT-7 my data holds everything that is known, with whole numbers, which need no further code', async () => {
  const person = await addCustomer(portal, { secondName: 'Świętosława', identification: sampleIdentification })
  const browser = await letIn(portal, person)
  const { body } = await browser.call(readMyData)
  expect(body).toEqual({
    id: expect.any(String),
    login: person.login,
    email: person.email,
    phone: person.phone,
    maskedPhone: `+48 ••• ••• ${person.phone.slice(-3)}`,
    firstName: 'Małgorzata',
    secondName: 'Świętosława',
    surname: 'Wiśniewska',
    now: expect.any(String),
    identification: sampleIdentification,
  })
})

test('DAT-1 DAT-7 where nothing is known there is nothing to show', async () => {
  const browser = await letIn(portal, await addCustomer(portal))
  expect((await browser.call(readMyData)).body.identification).toBeNull()
})
