import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { describe, expect, test } from 'vitest'
import { Email } from '../../contract/fields.ts'
import type { Brand } from '../../contract/page-config.ts'
import { renderMail } from '../mail-template.ts'
import { mailBySmtp, type SmtpOptions } from './mail-smtp.ts'
import { DeliveryFailed, type Mail } from './ports.ts'

type Arrived = { from: string; to: string[]; raw: Buffer }

/** A real mail server on loopback that keeps what it took. */
async function smtpServer(options: SMTPServerOptions = {}) {
  const arrived: Arrived[] = []
  let connections = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect(_session, callback) {
      connections += 1
      callback()
    },
    onData(stream, { envelope }, callback) {
      void buffer(stream).then((raw) => {
        arrived.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          raw,
        })
        callback()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    arrived,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function portTo(port: number, more: Partial<SmtpOptions> = {}) {
  const mail = mailBySmtp({ url: `smtp://127.0.0.1:${port}`, from: 'Sygnet <portal@sygnet.example>', hostForMessageId: 'portal.example', ...more })
  return { ...mail, [Symbol.asyncDispose]: () => mail.close() }
}

const mail: Mail = {
  id: '0b54f0a2-0000-4000-8000-000000000001',
  to: 'anna@example.org',
  subject: 'Ustaw hasło do portalu – „Sygnet”',
  text: 'Dzień dobry,\n\n.\nzażółć gęślą jaźń\n',
  html: '<p>Dzień dobry, <b>zażółć</b></p>',
}

async function failure(sending: Promise<void>): Promise<DeliveryFailed> {
  const error = await sending.then(() => 'delivered', (e: unknown) => e)
  expect(error).toBeInstanceOf(DeliveryFailed)
  expect((error as Error).message).not.toMatch(/anna|@/)
  return error as DeliveryFailed
}

/** The address in ASCII; the server on the other side shows domains decoded. */
const asSent = (address: string) => {
  const [local, domain = ''] = address.split('@')
  return /^[\w.-]*$/.test(domain) ? address : `${local}@${domainToASCII(domain)}`
}

const read = (raw: Buffer) => PostalMime.parse(raw)

test('a mail arrives whole: recipient, sender, subject, both parts', async () => {
  await using server = await smtpServer()
  await using port = portTo(server.port)
  await port.send(mail)
  const [{ from, to, raw }] = server.arrived as [Arrived]
  const parsed = await read(raw)
  expect({ from, to }).toEqual({ from: 'portal@sygnet.example', to: ['anna@example.org'] })
  expect(parsed.from).toEqual({ address: 'portal@sygnet.example', name: 'Sygnet' })
  expect(parsed.to).toEqual([{ address: 'anna@example.org', name: '' }])
  expect(parsed.subject).toBe(mail.subject)
  expect(parsed.text?.trimEnd()).toBe(mail.text.trimEnd())
  expect(parsed.html?.trimEnd()).toBe(mail.html)
  expect(parsed.messageId).toBe('<0b54f0a2-0000-4000-8000-000000000001@portal.example>')
})

test('R72 a mail does not tell the program that sent it, and asks for no automatic answer', async () => {
  await using server = await smtpServer()
  await using port = portTo(server.port)
  await port.send(mail)
  expect(server.arrived[0]!.raw.toString()).not.toMatch(/nodemailer|x-mailer/i)
  expect((await read(server.arrived[0]!.raw)).headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }))
})

test('R92 the same id gives the same Message-ID, another id another', async () => {
  await using server = await smtpServer()
  await using port = portTo(server.port)
  await port.send(mail)
  await port.send(mail)
  await port.send({ ...mail, id: '0b54f0a2-0000-4000-8000-000000000002' })
  const [first, again, other] = await Promise.all(server.arrived.map(async ({ raw }) => (await read(raw)).messageId))
  expect(again).toBe(first)
  expect(other).not.toBe(first)
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
  expect((await read(server.arrived[0]!.raw)).to).toEqual([{ address: 'anna@xn--w-uga1v8h.pl', name: '' }])
})

const hostileAddresses = [
  '',
  'anna',
  'anna@',
  '@example.org',
  'anna@example',
  'anna@example.org,evil@evil.example',
  'anna@example.org;evil@evil.example',
  'anna@example.org evil@evil.example',
  '<evil@evil.example>anna@example.org',
  '"evil@evil.example,x"@example.org',
  '"a b"@example.org',
  'Anna <evil@evil.example>',
  'group:evil@evil.example;',
  'anna@example.org\r\nBcc: evil@evil.example',
  'anna@example.org\nRCPT TO:<evil@evil.example>',
  'anna@example.org>\r\nRCPT TO:<evil@evil.example',
  'anna@example.org\0@evil.example',
  'anna@[127.0.0.1]',
  'anna@example.org(evil@evil.example)',
  'anna(comment)@example.org',
  'anna@example.org@evil.example',
  'anna%evil.example@example.org ',
  ' anna@example.org',
  'anna@example.org\u2028',
  'ąnna@example.org',
  'anna@exam\u00adple.org',
  'anna@exa\u200bmple.org',
  'anna@evil.example。example.org',
  'anna@evil.example＠example.org',
  'a@ﬀ.\u0301\u0301',
  '../../etc/passwd@example.org',
]

const anyAddress = fc.oneof(
  fc.constantFrom(...hostileAddresses),
  fc.emailAddress(),
  fc.tuple(fc.string({ unit: 'binary', maxLength: 20 }), fc.domain()).map(([local, domain]) => `${local}@${domain}`),
  fc.array(fc.constantFrom('anna', '@', 'evil.example', ',', ';', '<', '>', '"', ' ', '\r\n', '(', ')', ':', '[', ']', '\\', 'ż.pl', '.'), { maxLength: 9 }).map((parts) => parts.join('')),
)

const ourHeaders = new Set(['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'])

const brand = { product: 'Sygnet', company: 'Firma', phone: '+48 22 100 20 30', email: 'pomoc@portal.example', hours: { from: '8:00', to: '17:00' } } as Brand

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

const anyLine = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'binary', maxLength: 120 }), fc.string({ unit: fc.constantFrom('\r', '\n', ':', ' ', 'B', 'c', '=', '?', '\t', '<') }))

describe('R74 hostile names, addresses and subjects', () => {
  test('the mail reaches the one stored recipient or nobody, and gains no header', async () => {
    await using server = await smtpServer()
    await using port = portTo(server.port)
    const send = async (to: string, subject: string, name: string) => {
      server.arrived.length = 0
      const { text, html } = renderMail('pl', brand, { subject: name, greeting: name, paragraphs: [name] })
      const error = await port.send({ ...mail, to, subject, text, html }).catch((e: unknown) => e)
      if (error) {
        expect(error).toMatchObject({ permanent: true })
        return expect(server.arrived).toEqual([])
      }
      expect(Email.safeParse(to).data).toBe(to)
      const [{ to: reached, raw }, ...others] = server.arrived as [Arrived, ...Arrived[]]
      expect(others).toEqual([])
      expect(reached.map(asSent)).toEqual([asSent(to)])
      const { headers, to: shown, cc, bcc, ...parsed } = await read(raw)
      expect(shown).toEqual([{ address: asSent(to), name: '' }])
      expect([cc, bcc]).toEqual([undefined, undefined])
      expect(new Set([...headers.map(({ key }) => key), 'subject'])).toEqual(ourHeaders)
      expect(headers.length).toBe(ourHeaders.size - (subject ? 0 : 1))
      expect(parsed.subject ?? '').not.toMatch(/[\r\n]/)
      // What `renderMail` is tested to make harmless arrives unchanged.
      expect(parsed.html?.trimEnd()).toBe(html.trimEnd())
    }
    for (const address of hostileAddresses) await send(address, 'Temat', 'Anna')
    for (const words of hostileTexts) await send('anna@example.org', words, words)
    await fc.assert(fc.asyncProperty(anyAddress, anyLine, anyLine, send), { numRuns: 300 })
  })

  test.each(hostileAddresses)('%j is refused before anything is sent', async (to) => {
    await using server = await smtpServer()
    await using port = portTo(server.port)
    expect(await port.send({ ...mail, to }).catch((e: unknown) => e)).toMatchObject({ permanent: true })
    expect(server.connections()).toBe(0)
  })

  test.each(['a\r\nX: y', 'a>', '<a', 'a b', '', 'ą'])('the id %j is refused', async (id) => {
    await using server = await smtpServer()
    await using port = portTo(server.port)
    expect(await failure(port.send({ ...mail, id }))).toMatchObject({ permanent: true })
    expect(server.connections()).toBe(0)
  })

  test.each(['', 'x', 'a@b.pl, c@d.pl', 'A <a@b.pl>, c@d.pl', 'A\r\nBcc: x <a@b.pl>'])('the sender %j stops the start', (from) => {
    expect(() => mailBySmtp({ url: 'smtp://127.0.0.1', from, hostForMessageId: 'portal.example' })).toThrow()
  })

  test.each(['', 'a b', 'x>\r\nX: y', 'a@b'])('the Message-ID host %j stops the start', (hostForMessageId) => {
    expect(() => mailBySmtp({ url: 'smtp://127.0.0.1', from: 'a@b.pl', hostForMessageId })).toThrow()
  })
})

describe('R92 what the server refuses', () => {
  const refusing = (responseCode: number) => Object.assign(new Error('<anna@example.org> no'), { responseCode })

  test.each([
    [450, false],
    [451, false],
    [452, false],
    [550, true],
    [551, true],
    [553, true],
    [530, false],
    [503, false],
  ])('a recipient refused with %i: permanent is %s', async (code, permanent) => {
    await using server = await smtpServer({ onRcptTo: (_address, _session, callback) => callback(refusing(code)) })
    await using port = portTo(server.port)
    expect(await failure(port.send(mail))).toMatchObject({ permanent, message: `SMTP RCPT TO: ${code}` })
  })

  test.each([
    [451, false],
    [554, true],
  ])('a content refused with %i: permanent is %s', async (code, permanent) => {
    await using server = await smtpServer({ onData: (stream, _session, callback) => void buffer(stream).then(() => callback(refusing(code))) })
    await using port = portTo(server.port)
    expect(await failure(port.send(mail))).toMatchObject({ permanent })
  })

  test('our own sender or password refused is worth another try, once the operator has mended it', async () => {
    await using noSender = await smtpServer({ onMailFrom: (_address, _session, callback) => callback(refusing(550)) })
    await using sender = portTo(noSender.port)
    expect(await failure(sender.send(mail))).toMatchObject({ permanent: false })

    await using noLogin = await smtpServer({ authOptional: false, allowInsecureAuth: true, onAuth: (_auth, _session, callback) => callback(refusing(535)) })
    await using login = portTo(noLogin.port, { url: `smtp://user:secret@127.0.0.1:${noLogin.port}` })
    expect(await failure(login.send(mail))).toMatchObject({ permanent: false })
  })

  test('a refusal does not spoil the connection for the next mail', async () => {
    let refuse = true
    await using server = await smtpServer({ onRcptTo: (_address, _session, callback) => (refuse ? callback(refusing(550)) : callback()) })
    await using port = portTo(server.port)
    await failure(port.send(mail))
    refuse = false
    await port.send(mail)
    expect(server.arrived).toHaveLength(1)
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

describe('R92 a server that is not there', () => {
  async function listening(server: Server) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }

  test('a refused connection is worth another try', async () => {
    const server = createServer()
    const port = await listening(server)
    server.close()
    await using closed = portTo(port)
    expect(await failure(closed.send(mail))).toMatchObject({ permanent: false })
  })

  test('a silent server is left in time', async () => {
    const server = createServer(() => {})
    await using silent = portTo(await listening(server), { timeoutMs: 100 })
    expect(await failure(silent.send(mail))).toMatchObject({ permanent: false })
    server.close()
  })

  test('a connection cut in the middle is worth another try', async () => {
    const server = createServer((socket) => socket.end('220 hello\r\n'))
    await using cut = portTo(await listening(server))
    expect(await failure(cut.send(mail))).toMatchObject({ permanent: false })
    server.close()
  })
})

describe('TLS as the URL says', () => {
  test('requireTLS sends nothing to a server without STARTTLS', async () => {
    await using server = await smtpServer()
    await using port = portTo(server.port, { url: `smtp://127.0.0.1:${server.port}?requireTLS=true` })
    expect(await failure(port.send(mail))).toMatchObject({ permanent: false })
    expect(server.arrived).toEqual([])
  })

  test('STARTTLS is used when offered, and its certificate is checked', async () => {
    await using server = await smtpServer({ disabledCommands: [] })
    await using strict = portTo(server.port)
    expect(await failure(strict.send(mail))).toMatchObject({ permanent: false })
    await using trusting = portTo(server.port, { url: `smtp://127.0.0.1:${server.port}?requireTLS=true&tls.rejectUnauthorized=false` })
    await trusting.send(mail)
    expect(server.arrived).toHaveLength(1)
  })

  test('smtps speaks TLS from the first byte, and checks the certificate', async () => {
    await using server = await smtpServer({ secure: true })
    await using strict = portTo(server.port, { url: `smtps://127.0.0.1:${server.port}` })
    expect(await failure(strict.send(mail))).toMatchObject({ permanent: false })
    await using trusting = portTo(server.port, { url: `smtps://127.0.0.1:${server.port}?tls.rejectUnauthorized=false` })
    await trusting.send(mail)
    expect(server.arrived).toHaveLength(1)
  })
})
