import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestPasswordReset } from '../../contract/passwords.ts'
import { inviteCustomer, putCustomer, type ProviderCustomer } from '../../contract/provider/provider-api.ts'
import { mailBySmtp } from '../adapters/mail-smtp.ts'
import type { MailPort } from '../platform/ports.ts'
import { exhaustive } from '../testing/breadth.ts'
import { openTestPortal, samplePerson, type TestPortal } from '../testing/portal-nodes.ts'
import { openBrowser } from '../testing/browser.ts'

type Arrived = { to: string[]; raw: Buffer }

let portal: TestPortal
let mail: MailPort
let arrived: Arrived[] = []
const sink = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onData(stream, { envelope }, callback) {
    void buffer(stream).then((raw) => {
      arrived.push({ to: envelope.rcptTo.map(({ address }) => address), raw })
      callback()
    })
  },
})
beforeAll(async () => {
  sink.listen(0, '127.0.0.1')
  await once(sink.server, 'listening')
  const { port } = sink.server.address() as AddressInfo
  mail = mailBySmtp({
    url: `smtp://127.0.0.1:${port}`,
    from: 'Sygnet <portal@sygnet.example>',
    hostForMessageId: 'portal.example',
  })
  portal = await openTestPortal({ ports: { mail } })
})
afterAll(async () => {
  await portal.close()
  await mail.close()
  await new Promise<void>((resolve) => sink.close(() => resolve()))
})

const put = (body: ProviderCustomer) =>
  openBrowser(portal).call(putCustomer, { params: { customer: `c-${crypto.randomUUID()}` }, body })

/** The only headers of the portal's mails. */
const ownHeaders = ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to']

function asciiOf(email: string) {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, at + 1)}${domainToASCII(email.slice(at + 1))}`
}

async function expectOneMail({ to, raw }: Arrived, email: string) {
  const ascii = asciiOf(email)
  // The sink decodes domains; the headers have what was sent.
  expect(to.map((address) => asciiOf(address))).toEqual([ascii])
  const parsed = await PostalMime.parse(raw)
  expect(parsed.to).toEqual([{ address: ascii, name: '' }])
  expect([parsed.cc, parsed.bcc, parsed.replyTo]).toEqual([undefined, undefined, undefined])
  expect(parsed.from?.address).toBe('portal@sygnet.example')
  expect([...new Set(parsed.headers.map(({ key }) => key))].toSorted()).toEqual(ownHeaders)
  expect(parsed.attachments).toEqual([])
  const links = parsed.html!.match(/href="[^"]*"/g)!
  expect(links).toHaveLength(1)
  expect(links[0]).toMatch(/^href="https:\/\/portal\.example\/(?:en\/)?setup-password\/[\w-]{43}"$/)
  expect(parsed.html).not.toMatch(/<(?:script|img|iframe|svg|object|embed|form|input|base|link|svg)\b|\son\w+\s*=/i)
  return parsed
}

const pieces = fc.constantFrom(
  'anna',
  'x',
  '@',
  '@evil.example',
  ',',
  ';',
  ' ',
  '<',
  '>',
  '"',
  '(',
  ')',
  '\\',
  '\r\n',
  '\n',
  '\r',
  '\t',
  '\u0000',
  'Bcc: evil@evil.example',
  'To: evil@evil.example',
  '\r\nBcc: evil@evil.example',
  '=?utf-8?Q?=0d=0aBcc:evil@evil.example?=',
  '%0d%0a',
  ':',
  '..',
  '.',
  '%',
  '!',
  '[127.0.0.1]',
  'żółw',
  '\u202e',
  '\u200b',
  '\ufeff',
  '\u2028',
  '＠',
  '，',
  '😀',
  "'",
  '`',
  '|',
  '&',
  '+',
  '-',
)
const hostileAddress = fc.oneof(
  fc.array(pieces, { minLength: 1, maxLength: 5 }).map((parts) => `${parts.join('')}@mail.example`),
  fc.array(pieces, { minLength: 1, maxLength: 4 }).map((parts) => `anna@${parts.join('')}.example`),
  fc.array(pieces, { minLength: 1, maxLength: 4 }).map((parts) => `anna@mail.example${parts.join('')}`),
  fc.array(pieces, { minLength: 1, maxLength: 4 }).map((parts) => `${parts.join('')}anna@mail.example`),
)
const markup = fc.constantFrom(
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  '<a href="https://evil.example">',
  '</title>',
  '<!--',
  '&lt;',
  '{{origin}}',
  '${7*7}',
  '<%= 7 %>',
  'https://evil.example',
  'www.evil.example',
  '\u202eelpmaxe',
  'Ł',
  '😀',
  '\r\nBcc: evil@evil.example',
  '\n.\n',
  '=?utf-8?B?PGI+?=',
  '%s%n',
  'a'.repeat(90),
)
const hostileName = fc.array(markup, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' '))

test('R74 three hundred hostile addresses reach one mailbox each, the stored one, or none at all', async () => {
  let taken = 0
  let refused = 0
  await fc.assert(
    fc.asyncProperty(hostileAddress, async (given) => {
      arrived = []
      // A separate local part for each run, so that no run finds the customer of another.
      const { status, body } = await put(samplePerson({ email: given }))
      await portal.deliver()
      if (status !== 200) {
        refused += 1
        expect([given, [400, 422].includes(status), arrived]).toEqual([given, true, []])
        return
      }
      taken += 1
      expect(arrived).toHaveLength(1)
      await expectOneMail(arrived[0]!, body.email)
      const { rows } = await portal.owner.query<{ email: string }>(
        'select email from accounts order by created_at desc limit 1',
      )
      expect(rows[0]!.email).toBe(body.email)
    }),
    { numRuns: exhaustive ? 300 : 60 },
  )
  expect(taken).toBeGreaterThan(0)
  expect(refused).toBeGreaterThan(exhaustive ? 100 : 20)
})

test('R74 hostile names are stored as they are or refused, and no mail has live markup from them', async () => {
  await fc.assert(
    fc.asyncProperty(hostileName, hostileName, fc.constantFrom('pl', 'en'), async (firstName, surname, locale) => {
      arrived = []
      const person = samplePerson({ firstName, surname, locale })
      const { status, body } = await put(person)
      await portal.deliver()
      if (status !== 200) {
        expect([status, arrived]).toEqual([400, []])
        return
      }
      expect(body).toMatchObject({
        firstName: firstName.trim().normalize('NFC'),
        surname: surname.trim().normalize('NFC'),
      })
      expect(arrived).toHaveLength(1)
      const parsed = await expectOneMail(arrived[0]!, person.email)
      expect(`${parsed.subject}${parsed.text}`).not.toMatch(/evil|alert/)
    }),
    { numRuns: exhaustive ? 100 : 25 },
  )
})

test('R74 a reset for two mailboxes, or for one with a header in it, is refused and sends no mail', async () => {
  const person = samplePerson()
  await put(person)
  await portal.deliver()
  arrived = []
  const attacks = [
    `${person.email},evil@evil.example`,
    `${person.email};evil@evil.example`,
    `${person.email} evil@evil.example`,
    `evil@evil.example <${person.email}>`,
    `<${person.email}>`,
    `"${person.email}" <evil@evil.example>`,
    `${person.email}\r\nBcc: evil@evil.example`,
    `${person.email}\u0000@evil.example`,
    `${person.email}\nevil@evil.example`,
    `evil@evil.example#${person.email}`,
  ]
  for (const email of attacks) {
    const answer = await openBrowser(portal).call(requestPasswordReset, {
      body: { email, locale: 'pl', botProof: crypto.randomUUID() },
    })
    expect([email, answer.status]).toEqual([email, 400])
  }
  // A list of mailboxes is not a text.
  const listed = await openBrowser(portal).raw('POST', requestPasswordReset.path, {
    email: [person.email, 'evil@evil.example'],
    locale: 'pl',
    botProof: 'x',
  })
  expect(listed.status).toBe(400)
  await portal.deliver()
  expect(arrived).toEqual([])
})

test('R74 R92 a mail that is sent again has the same Message-ID, and each invitation has its own', async () => {
  const person = samplePerson()
  const customer = `c-${crypto.randomUUID()}`
  await openBrowser(portal).call(putCustomer, { params: { customer }, body: person })
  await openBrowser(portal).call(inviteCustomer, { params: { customer } })
  arrived = []
  await portal.deliver()
  const ids = await Promise.all(arrived.map(async ({ raw }) => (await PostalMime.parse(raw)).messageId))
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(2)
  for (const id of ids) expect(id).toMatch(/^<[0-9a-f-]{36}@portal\.example>$/)
})
