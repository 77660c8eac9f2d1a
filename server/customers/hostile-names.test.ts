import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { afterAll, expect, test } from 'vitest'
import { putCustomer, type ProviderCustomer } from '../../contract/provider/provider-api.ts'
import { asSent, portTo, smtpServer } from '../adapters/loopback/loopback-mail-server.ts'
import { exhaustive } from '../testing/breadth.ts'
import { openPortal } from '../testing/open-portal.ts'
import { samplePerson } from '../testing/portal-nodes.ts'
import { openBrowser } from '../testing/browser.ts'

const sink = await smtpServer()
const mail = portTo(sink.port)
afterAll(() => mail.close().then(() => sink[Symbol.asyncDispose]()))
const portal = await openPortal({ ports: { mail } })

/** Creates a customer; the answer and the mails that it causes. */
async function put(body: ProviderCustomer) {
  sink.arrived.length = 0
  const params = { customer: `c-${crypto.randomUUID()}` }
  const answer = await openBrowser(portal).call(putCustomer, { params, body })
  await portal.deliver()
  return { ...answer, arrived: [...sink.arrived] }
}

/** The only headers of the portal's mails. */
const ownHeaders = ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to']

const tags = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  '</title>',
  '<!--',
]
const links = [
  '<a href="https://evil.example">',
  'https://evil.example',
  'www.evil.example',
  '\u202eelpmaxe',
  'Ł',
  '😀',
]
const templates = ['&lt;', '{{origin}}', '${7*7}', '<%= 7 %>', '%s%n', '=?utf-8?B?PGI+?=', '\r\nBcc: evil@evil.example']
const markup = fc.constantFrom(...tags, ...links, ...templates, '\n.\n', 'a'.repeat(90))
const hostileName = fc.array(markup, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' '))

test('R74 a hostile name is stored as it is or refused, and no mail has live markup from it', async () => {
  await fc.assert(
    fc.asyncProperty(hostileName, hostileName, fc.constantFrom('pl', 'en'), async (firstName, surname, locale) => {
      const person = samplePerson({ firstName, surname, locale })
      const { status, body, arrived } = await put(person)
      if (status !== 200) {
        expect([status, arrived]).toEqual([400, []])
        return
      }
      const stored = (name: string) => name.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '').normalize('NFC')
      expect(body).toMatchObject({ firstName: stored(firstName), surname: stored(surname) })
      expect(arrived.map(({ to }) => to.map(asSent))).toEqual([[person.email]])
      const { subject, text, html, headers, ...parsed } = await PostalMime.parse(arrived[0]!.raw)
      expect(parsed).toMatchObject({ to: [{ address: person.email, name: '' }], attachments: [] })
      expect([...new Set(headers.map(({ key }) => key))].toSorted()).toEqual(ownHeaders)
      expect(`${subject}${text}`).not.toMatch(/evil|alert/)
      expect(html!.match(/href="[^"]*"/g)).toEqual([
        expect.stringMatching(/^href="https:\/\/portal\.example\/(?:en\/)?setup-password\/[\w-]{43}"$/),
      ])
      expect(html).not.toMatch(/<(?:script|img|iframe|svg|object|embed|form|input|base|link|svg)\b|\son\w+\s*=/i)
    }),
    { numRuns: exhaustive ? 100 : 25 },
  )
})
