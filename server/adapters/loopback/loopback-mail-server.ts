import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { domainToASCII } from 'node:url'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Mail } from '../../platform/ports.ts'
import { mailBySmtp, type SmtpOptions } from '../mail-smtp.ts'

export type Arrived = { from: string; to: string[]; raw: Buffer }

/** Starts a real mail server on loopback that stores the received mails. */
export async function smtpServer(options: SMTPServerOptions = {}) {
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
        // The sender disconnected.
      }, callback)
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

/** Creates the adapter under test, which is closed with its test. */
export function portTo(port: number, more: Partial<SmtpOptions> = {}) {
  const mail = mailBySmtp({
    url: `smtp://127.0.0.1:${port}`,
    from: 'Sygnet <portal@sygnet.example>',
    hostForMessageId: 'portal.example',
    ...more,
  })
  return { ...mail, [Symbol.asyncDispose]: () => mail.close() }
}

export const mail: Mail = {
  id: '0b54f0a2-0000-4000-8000-000000000001',
  to: 'anna@example.org',
  subject: 'Ustaw hasło do portalu – „Sygnet”',
  text: 'Dzień dobry,\n\n.\nzażółć gęślą jaźń\n',
  html: '<p>Dzień dobry, <b>zażółć</b></p>',
}

/** Returns the address with its domain in ASCII, because the server decodes domains. */
export const asSent = (address: string) => {
  const [local, domain = ''] = address.split('@')
  return /^[\w.-]*$/.test(domain) ? address : `${local}@${domainToASCII(domain)}`
}
