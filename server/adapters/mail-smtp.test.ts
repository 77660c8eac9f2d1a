import { buffer } from 'node:stream/consumers'
import PostalMime from 'postal-mime'
import { describe, expect, test } from 'vitest'
import { asSent, mail, portTo, smtpServer, type Arrived } from './loopback/loopback-mail-server.ts'
import { DeliveryFailed } from '../platform/ports.ts'

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
    expect(await failure(port.send(mail))).toMatchObject({ permanent, message: `The mail server refused the ${what}` })
  })

  test.each([
    [451, false],
    [554, true],
  ])('a content refused with %i: permanent is %s', async (code, permanent) => {
    await using server = await smtpServer({
      onData: (stream, _session, callback) => void buffer(stream).then(() => callback(refusing(code))),
    })
    await using port = portTo(server.port)
    expect(await failure(port.send(mail))).toMatchObject({ permanent })
  })

  test('a refused sender or password can be retried, once the operator has fixed it', async () => {
    await using noSender = await smtpServer({ onMailFrom: (_address, _session, callback) => callback(refusing(550)) })
    await using sender = portTo(noSender.port)
    expect(await failure(sender.send(mail))).toMatchObject({
      permanent: false,
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
      permanent: false,
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
    permanent: false,
    message: expect.stringMatching(/^No connection to the mail server \(ECONNREFUSED\): check SMTP_URL/),
  })
})

describe('TLS as the URL says', () => {
  test('requireTLS sends nothing to a server without STARTTLS', async () => {
    await using server = await smtpServer()
    await using port = portTo(server.port, { url: `smtp://127.0.0.1:${server.port}?requireTLS=true` })
    expect(await failure(port.send(mail))).toMatchObject({
      permanent: false,
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
    expect(await failure(strict.send(mail))).toMatchObject({ permanent: false })
    await using trusting = portTo(server.port, { url: `${url}?${more}tls.rejectUnauthorized=false` })
    await trusting.send(mail)
    expect(server.arrived).toHaveLength(1)
  })
})
