import { expect, test } from 'vitest'
import { exportSealUsers, removeSealUser } from '../../contract/seal-users.ts'
import { limits } from '../../contract/limits.ts'
import { auditedActions } from '../testing/audit-entries.ts'
import type { TestBrowser } from '../testing/browser.ts'
import { addCustomer, signInDirectly } from '../testing/samples/ready-customers.ts'
import { inviteTo, makeSeal, member, signInToManage } from '../testing/samples/sample-seals.ts'
import { openPortalWithProvider } from '../testing/open-portal.ts'

const { portal, provider } = await openPortalWithProvider()

async function makeAdministered() {
  const person = await addCustomer(portal, { firstName: 'Anna', surname: 'Nowak' })
  return { person, seal: await makeSeal(portal, provider, [member(person)]) }
}

const download = (browser: TestBrowser, seal: string, locale = 'pl') =>
  browser.raw('GET', `${exportSealUsers.path.replace(':id', seal)}?locale=${locale}`)

/** The cells of each line, without the byte order mark. */
const cellsOf = (text: string, separator: string) =>
  text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.slice(1, -1).split(`"${separator}"`))

test('SEA-17 R214 R76 the list of users is a table with all of them, whose cells no spreadsheet takes for formulas', async () => {
  const { person, seal } = await makeAdministered()
  await portal.clock.stopAt(new Date('2030-06-01T10:00:00Z'))
  await inviteTo(portal, seal.providerId, {
    firstName: '=HYPERLINK("https://evil.example")',
    surname: '@SUM(A1)',
    email: 'a@mail.example',
    phone: '+48600100417',
  })
  const gone = await inviteTo(portal, seal.providerId, { firstName: 'Jan', surname: 'Kos', email: 'b@mail.example' })
  const browser = await signInToManage(portal, person, seal.id)
  await browser.call(removeSealUser, { params: { id: seal.id, user: gone.id } })
  const answer = await download(browser, seal.id)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
  expect(answer.headers.get('content-disposition')).toContain('filename="uzytkownicy-pieczeci.csv"')
  const text = await answer.text()
  const [heads, first, second, third] = cellsOf(text, ';')
  expect(heads).toContain('Dostęp od')
  expect(first!.slice(0, 3)).toEqual(['1', 'Anna', 'Nowak'])
  expect(first!.slice(5, 7)).toEqual(['admin', 'aktywny'])
  expect(second).toEqual([
    '2',
    `'=HYPERLINK(""https://evil.example"")`,
    `'@SUM(A1)`,
    'a@mail.example',
    `'+48 ••• ••• 417`,
    'user',
    'oczekuje na aktywację',
    '2030-06-01 12:00:00',
    '2030-06-08 12:00:00',
    '',
    '',
  ])
  expect([third!.slice(1, 3), third!.slice(6)]).toEqual([
    ['Jan', 'Kos'],
    ['usunięty', '2030-06-01 12:00:00', '', '', '2030-06-01 12:00:00'],
  ])
  expect(text).not.toContain('600100417')
  expect(cellsOf(await (await download(browser, seal.id, 'en')).text(), ',')[0]).toContain('Access since')
  expect(await auditedActions(portal, { login: person.login })).toContain('seal-users-exported')
  await portal.clock.advance(0)
})

test('SEA-17 R214 one Administrator gets so many lists in an hour', async () => {
  const { person, seal } = await makeAdministered()
  const browser = await signInDirectly(portal, person)
  const { limit } = limits.seal.exports
  const answers = await Promise.all(
    Array.from({ length: limit + 3 }, () => download(browser, seal.id).then(({ status }) => status)),
  )
  expect(answers.filter((status) => status === 200)).toHaveLength(limit)
  const refused = await download(browser, seal.id)
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
})
