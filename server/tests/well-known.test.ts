import { expect, test } from 'vitest'
import { openPortal, openPortalForTest } from '../testing/open-portal.ts'

const portal = await openPortal()

test('PWD-7 a password manager is led to the page on which the password is changed', async () => {
  const ask = async (cookie: string) => {
    const options = { redirect: 'manual', headers: { cookie } } as const
    const { status, headers } = await fetch(`${portal.origin}/.well-known/change-password`, options)
    return [status, headers.get('location')]
  }
  expect(await ask('')).toEqual([302, '/change-password'])
  expect(await ask('locale=en')).toEqual([302, '/en/change-password'])
})

test('R126 security.txt is there with a contact, valid by RFC 9116 for less than a year, and not without one', async () => {
  const file = (origin: string) => fetch(`${origin}/.well-known/security.txt`)
  expect((await file(portal.origin)).status).toBe(404)
  const contacts = ['mailto:security@provider.example', 'https://provider.example/report']
  const security = { contacts, policy: 'https://provider.example/policy' }
  const named = await openPortalForTest({ settings: { security } })
  const answer = await file(named.origin)
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const lines = (await answer.text()).split('\r\n')
  expect(lines.pop()).toBe('')
  const [expires] = lines.filter((line) => line.startsWith('Expires: '))
  expect(lines.filter((line) => line !== expires)).toEqual([
    'Contact: mailto:security@provider.example',
    'Contact: https://provider.example/report',
    'Preferred-Languages: pl, en',
    'Canonical: https://portal.example/.well-known/security.txt',
    'Policy: https://provider.example/policy',
  ])
  const left = Date.parse(expires!.slice(9)) - Date.now()
  expect(expires).toMatch(/^Expires: \d{4}-\d\d-\d\dT00:00:00\.000Z$/)
  expect(left).toBeGreaterThan(150 * 86_400_000)
  expect(left).toBeLessThan(365 * 86_400_000)
})
