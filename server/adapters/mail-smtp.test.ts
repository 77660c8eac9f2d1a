import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { Email } from '../../contract/fields.ts'
import type { Brand } from '../../contract/page-config.ts'
import { renderMail } from '../platform/messages/mail-template.ts'
import { DeliveryFailed } from '../platform/ports.ts'
import { asSent, mail, portTo, smtpServer, type Arrived } from './loopback/loopback-mail-server.ts'
import { mailBySmtp } from './mail-smtp.ts'

async function failure(sending: Promise<void>): Promise<DeliveryFailed> {
  const error = await sending.then(
    () => 'delivered',
    (e: unknown) => e,
  )
  expect(error).toBeInstanceOf(DeliveryFailed)
  expect((error as Error).message).not.toMatch(/anna|@/)
  return error as DeliveryFailed
}

test('R72 SIG-5 a mail arrives whole, with its attachment, and does not name the program', async () => {
  await using server = await smtpServer()
  await using port = portTo(server.port)
  const content = 'BEGIN:VCALENDAR\r\nSUMMARY:Zażółć\r\nEND:VCALENDAR\r\n'
  await port.send({ ...mail, attachment: { name: 'koniec.ics', type: 'text/calendar; charset=utf-8', content } })
  const [{ from, to, raw }] = server.arrived as [Arrived]
  expect({ from, to }).toEqual({ from: 'portal@sygnet.example', to: ['anna@example.org'] })
  const { text, html, attachments, headers, ...parsed } = await PostalMime.parse(raw)
  expect(parsed).toMatchObject({
    from: { address: 'portal@sygnet.example', name: 'Sygnet' },
    to: [{ address: 'anna@example.org', name: '' }],
    subject: mail.subject,
    messageId: '<0b54f0a2-0000-4000-8000-000000000001@portal.example>',
  })
  expect([text?.trimEnd(), html?.trimEnd()]).toEqual([mail.text.trimEnd(), mail.html])
  expect(attachments).toMatchObject([{ filename: 'koniec.ics', mimeType: 'text/calendar' }])
  // The reader makes the line ends of texts its own; what was sent is looked at.
  expect(raw.toString().replaceAll(/\s/g, '')).toContain(Buffer.from(content).toString('base64'))
  expect(raw.toString()).not.toMatch(/nodemailer|x-mailer/i)
  // Prevents automatic replies.
  expect(headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }))
})

test('R92 the same id gives the same Message-ID, another id another', async () => {
  await using server = await smtpServer()
  await using port = portTo(server.port)
  await port.send(mail)
  await port.send(mail)
  await port.send({ ...mail, id: '0b54f0a2-0000-4000-8000-000000000002' })
  const parsed = await Promise.all(server.arrived.map(({ raw }) => PostalMime.parse(raw)))
  const [first, again, second] = parsed.map(({ messageId }) => messageId)
  expect([again === first, second === first]).toEqual([true, false])
})

test('connections are kept and shared by many mails', async () => {
  await using server = await smtpServer()
  await using port = portTo(server.port)
  await Promise.all(Array.from({ length: 40 }, (_, i) => port.send({ ...mail, id: `mail-${i}` })))
  expect(server.arrived).toHaveLength(40)
  expect(server.connections()).toBeLessThanOrEqual(5)
})

test('a domain with other letters goes out as punycode', async () => {
  await using server = await smtpServer({ hideSMTPUTF8: true })
  await using port = portTo(server.port)
  await port.send({ ...mail, to: 'anna@żółw.pl' })
  expect(server.arrived[0]!.to.map(asSent)).toEqual(['anna@xn--w-uga1v8h.pl'])
  const { to } = await PostalMime.parse(server.arrived[0]!.raw)
  expect(to).toEqual([{ address: 'anna@xn--w-uga1v8h.pl', name: '' }])
})

describe('R92 what the server refuses', () => {
  const refusing = (responseCode: number) => Object.assign(new Error('<anna@example.org> no'), { responseCode })

  test.each([
    ...[550, 551, 553].map((code) => [code, true, `recipient (${code}).`] as const),
    ...[450, 451, 452, 503].map((code) => [code, false, `recipient (${code}).`] as const),
    [530, false, 'login (530): check user and password in SMTP_URL.'] as const,
  ])('a recipient refused with %i: permanent is %s', async (code, permanent, what) => {
    await using server = await smtpServer({ onRcptTo: (_address, _session, callback) => callback(refusing(code)) })
    await using port = portTo(server.port)
    expect(await failure(port.send(mail))).toMatchObject({
      isPermanent: permanent,
      message: `The mail server refused the ${what}`,
    })
  })

  test.each([
    [451, false],
    [554, true],
  ])('a content refused with %i: permanent is %s', async (code, permanent) => {
    await using server = await smtpServer({
      onData: (stream, _session, callback) => void buffer(stream).then(() => callback(refusing(code))),
    })
    await using port = portTo(server.port)
    expect(await failure(port.send(mail))).toMatchObject({ isPermanent: permanent })
  })

  test('a refused sender or password can be retried, once the operator has fixed it', async () => {
    await using noSender = await smtpServer({ onMailFrom: (_address, _session, callback) => callback(refusing(550)) })
    await using sender = portTo(noSender.port)
    expect(await failure(sender.send(mail))).toMatchObject({
      isPermanent: false,
      message: 'The mail server refused the sender (550): check MAIL_FROM.',
    })

    await using noLogin = await smtpServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, callback) => callback(refusing(535)),
    })
    await using login = portTo(noLogin.port, { url: `smtp://user:secret@127.0.0.1:${noLogin.port}` })
    // Tried without a mail too, before any is sent.
    expect(await failure(login.verify())).toMatchObject({ message: expect.stringContaining('refused the login (535)') })
    expect(await failure(login.send(mail))).toMatchObject({
      isPermanent: false,
      message: 'The mail server refused the login (535): check user and password in SMTP_URL.',
    })
  })

  test('a refusal does not spoil the connection for the next mail', async () => {
    let refuse = true
    await using server = await smtpServer({
      onRcptTo: (_address, _session, callback) => (refuse ? callback(refusing(550)) : callback()),
    })
    await using port = portTo(server.port)
    await failure(port.send(mail))
    refuse = false
    await port.send(mail)
    expect(server.arrived).toHaveLength(1)
  })

  test('OPS-17 a server that accepts the login is verified without a mail', async () => {
    await using server = await smtpServer()
    await using port = portTo(server.port)
    await port.verify()
    expect([server.connections(), server.arrived]).toEqual([1, []])
  })

  test('credentials of the URL are used', async () => {
    const seen: unknown[] = []
    await using server = await smtpServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth(auth, _session, callback) {
        seen.push([auth.username, auth.password])
        callback(null, { user: auth.username })
      },
    })
    await using port = portTo(server.port, { url: `smtp://us%40er:p%2Fass@127.0.0.1:${server.port}` })
    await port.send(mail)
    expect(seen).toEqual([['us@er', 'p/ass']])
  })
})

test('R92 a refused connection can be retried, and the message names the setting', async () => {
  await using closed = portTo(1)
  expect(await failure(closed.send(mail))).toMatchObject({
    isPermanent: false,
    message: expect.stringMatching(/^No connection to the mail server \(ECONNREFUSED\): check SMTP_URL/),
  })
})

describe('TLS as the URL says', () => {
  test('requireTLS sends nothing to a server without STARTTLS', async () => {
    await using server = await smtpServer()
    await using port = portTo(server.port, { url: `smtp://127.0.0.1:${server.port}?requireTLS=true` })
    expect(await failure(port.send(mail))).toMatchObject({
      isPermanent: false,
      message: expect.stringMatching(/^The mail server does not offer STARTTLS/),
    })
    expect(server.arrived).toEqual([])
  })

  test.each([
    ['STARTTLS is used when offered', { disabledCommands: [] }, 'smtp', 'requireTLS=true&'],
    ['smtps speaks TLS from the first byte', { secure: true }, 'smtps', ''],
  ])('%s, and its certificate is checked', async (_, options, scheme, more) => {
    await using server = await smtpServer(options)
    const url = `${scheme}://127.0.0.1:${server.port}`
    await using strict = portTo(server.port, { url })
    expect(await failure(strict.send(mail))).toMatchObject({ isPermanent: false })
    await using trusting = portTo(server.port, { url: `${url}?${more}tls.rejectUnauthorized=false` })
    await trusting.send(mail)
    expect(server.arrived).toHaveLength(1)
  })
})

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
      expect(refusal?.isPermanent ?? true).toBe(true)
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
      expect([wrong, refusal]).toEqual([wrong, expect.objectContaining({ isPermanent: true })])
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
