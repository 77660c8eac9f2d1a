import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { Email } from '../../contract/fields.ts'
import type { Brand } from '../../contract/page-config.ts'
import { renderMail } from '../platform/messages/mail-template.ts'
import { asSent, mail, portTo, smtpServer } from './loopback/loopback-mail-server.ts'
import { mailBySmtp } from './mail-smtp.ts'
import type { DeliveryFailed } from '../platform/ports.ts'

const hostileAddresses = [
  '',
  'anna',
  'anna@example.org,evil@evil.example',
  '<evil@evil.example>anna@example.org',
  '"evil@evil.example,x"@example.org',
  'Anna <evil@evil.example>',
  'group:evil@evil.example;',
  'anna@example.org\r\nBcc: evil@evil.example',
  'anna@example.org\nRCPT TO:<evil@evil.example>',
  'anna@example.org>\r\nRCPT TO:<evil@evil.example',
  'anna@example.org\0@evil.example',
  'anna@[127.0.0.1]',
  'anna@example.org(evil@evil.example)',
  'anna%evil.example@example.org ',
  'anna@example.org\u2028',
  'ąnna@example.org',
  'anna@exa\u200bmple.org',
  'anna@evil.example。example.org',
  'anna@evil.example＠example.org',
  'a@ﬀ.\u0301\u0301',
]

const anyAddress = fc.oneof(
  fc.constantFrom(...hostileAddresses),
  fc.emailAddress(),
  fc.tuple(fc.string({ unit: 'binary', maxLength: 20 }), fc.domain()).map(([local, domain]) => `${local}@${domain}`),
  fc
    .array(fc.constantFrom('anna', 'evil.example', 'ż.pl', '\r\n', ...'@,;<>" ():[]\\.'), { maxLength: 9 })
    .map((parts) => parts.join('')),
)

/** The required headers; an empty subject is left out. */
const ourHeaders = ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'to']

const brand = {
  product: 'Sygnet',
  company: 'Firma',
  phone: '+48 22 100 20 30',
  email: 'pomoc@portal.example',
  hours: { from: '8:00', to: '17:00' },
} as Brand

const hostileTexts = [
  'Anna\r\nBcc: evil@evil.example',
  'Anna\nX-Injected: yes',
  'Anna\r\n\r\n<script>alert(1)</script>',
  'Anna\r\n.\r\nMAIL FROM:<evil@evil.example>',
  '=?utf-8?B?QmNjOiBldmlsQGV2aWwuZXhhbXBsZQ==?=',
  '=?utf-8?Q?x=0D=0ABcc:_evil@evil.example?=',
  '<script>alert(1)</script>',
  'Anna <evil@evil.example>, x',
  '"><img src=x onerror=alert(1)>',
  'Łukasz „Żółw” 😀',
  'x'.repeat(3000),
  '\u0000\u0007',
  '',
]

const anyLine = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({ unit: 'binary', maxLength: 120 }),
  fc.string({ unit: fc.constantFrom('\r', '\n', ':', ' ', 'B', 'c', '=', '?', '\t', '<') }),
)

describe('R74 hostile names, addresses and subjects', () => {
  test('the mail reaches only the stored recipient or nobody, and gets no further header', async () => {
    await using server = await smtpServer()
    await using port = portTo(server.port)
    const send = async (to: string, subject: string, name: string) => {
      server.arrived.length = 0
      const { text, html } = renderMail('pl', brand, { subject: name, greeting: name, paragraphs: [name] })
      const sending = port.send({ ...mail, to, subject, text, html })
      const refusal = (await sending.catch((error: unknown) => error)) as DeliveryFailed | undefined
      expect(refusal?.permanent ?? true).toBe(true)
      expect(server.arrived).toHaveLength(refusal ? 0 : 1)
      for (const { to: reached, raw } of server.arrived) {
        expect(Email.safeParse(to).data).toBe(to)
        expect(reached.map(asSent)).toEqual([asSent(to)])
        const { headers, to: shown, cc, bcc, ...parsed } = await PostalMime.parse(raw)
        expect(shown).toEqual([{ address: asSent(to), name: '' }])
        expect([cc, bcc]).toEqual([undefined, undefined])
        const keys = headers.map(({ key }) => key)
        expect(keys.filter((key) => key !== 'subject').toSorted()).toEqual(ourHeaders)
        expect(keys.length - ourHeaders.length).toBeLessThanOrEqual(1)
        expect(parsed.subject ?? '').not.toMatch(/[\r\n]/)
        // What `renderMail` is tested to make harmless arrives unchanged.
        expect(parsed.html?.trimEnd()).toBe(html.trimEnd())
      }
    }
    for (const text of hostileTexts) await send('anna@example.org', text, text)
    await fc.assert(fc.asyncProperty(anyAddress, anyLine, anyLine, send), { numRuns: 300 })
  })

  test('R74 a hostile address or id is refused before anything is sent', async () => {
    await using server = await smtpServer()
    await using port = portTo(server.port)
    const ids = ['a\r\nX: y', 'a>', '<a', 'a b', '', 'ą']
    for (const wrong of [...hostileAddresses.map((to) => ({ to })), ...ids.map((id) => ({ id }))]) {
      const refusal: unknown = await port.send({ ...mail, ...wrong }).catch((error: unknown) => error)
      expect([wrong, refusal]).toEqual([wrong, expect.objectContaining({ permanent: true })])
    }
    expect(server.connections()).toBe(0)
  })

  test.each(['', 'x', 'a@b.pl, c@d.pl', 'A <a@b.pl>, c@d.pl', 'A\r\nBcc: x <a@b.pl>'])(
    'the sender %j stops the start',
    (from) => {
      expect(() => mailBySmtp({ url: 'smtp://127.0.0.1', from, hostForMessageId: 'portal.example' })).toThrow('sender')
    },
  )

  test.each(['', 'a b', 'x>\r\nX: y', 'a@b'])('the Message-ID host %j stops the start', (hostForMessageId) => {
    expect(() => mailBySmtp({ url: 'smtp://127.0.0.1', from: 'a@b.pl', hostForMessageId })).toThrow('host name')
  })
})
