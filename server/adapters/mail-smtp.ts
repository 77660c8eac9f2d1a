import { domainToASCII } from 'node:url'
import { createTransport, type NodemailerError } from 'nodemailer'
import { Email } from '../../contract/fields.ts'
import { parseSender } from '../platform/brand/brand.ts'
import { DeliveryFailed, type MailPort } from '../platform/ports.ts'
import { serviceFault } from './service-fault.ts'

export type SmtpOptions = {
  /** The server: `smtp://` (STARTTLS if offered, required with `?requireTLS=true`) or `smtps://`, with optional credentials. */
  url: string
  /** The sender, as `address` or `Name <address>`. */
  from: string
  /** The domain of Message-IDs, and the name in the greeting. */
  hostForMessageId: string
  timeoutMs?: number
}

/** The adapter for an SMTP server. */
export type SmtpMail = MailPort & {
  /** Connects and signs in, without sending anything; rejects as `send` does. */
  verify(): Promise<void>
}

/**
 * Sends mails by an SMTP server, over a pool of connections. Throws at once if `from` or `hostForMessageId` is malformed. A
 * refusal of the recipient or the content is permanent (RFC 5321 §4.2.1); all other failures can be retried.
 */
export function mailBySmtp({ url, from, hostForMessageId, timeoutMs = 30_000 }: SmtpOptions): SmtpMail {
  const parsed = parseSender(from)
  if (!parsed) throw new Error('The sender of mails is neither an address nor "Name <address>".')
  const sender = { ...parsed, address: asciiAddress(parsed.address) }
  if (!/^[A-Za-z0-9.-]+$/.test(hostForMessageId)) throw new Error('The host for Message-IDs is not a host name.')
  const transport = createTransport({
    pool: true,
    url,
    name: hostForMessageId,
    maxConnections: 5,
    // For pooled connections that the server has closed; all other retries are made by the outbox (R92).
    maxRequeues: 1,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })

  return {
    async send({ id, to, subject, text, html, attachment }) {
      const recipient = asciiAddress(to)
      if (!/^[\w.-]{1,64}$/.test(id)) throw new DeliveryFailed('mail: malformed id', true)
      if (/\p{Cc}/u.test(subject)) throw new DeliveryFailed('mail: control character in the subject', true)
      try {
        await transport.sendMail({
          from: sender,
          // An object is never parsed as a list, and the envelope does not come from a header (R74).
          to: [{ name: '', address: recipient }],
          envelope: { from: sender.address, to: [recipient] },
          messageId: `<${id}@${hostForMessageId}>`,
          // A typed encoded word would be decoded by the reader, including line breaks (RFC 2047 §2).
          subject: subject.replaceAll('=?', '= ?'),
          text,
          html,
          ...(attachment && {
            attachments: [
              {
                filename: attachment.name,
                contentType: attachment.type,
                content: Buffer.from(attachment.content),
                // Text encodings would change line ends, which a calendar file needs (RFC 5545 §3.1).
                contentTransferEncoding: 'base64' as const,
              },
            ],
          }),
          // RFC 3834 §5: prevents automatic replies.
          headers: { 'Auto-Submitted': 'auto-generated' },
          // Limits the whole delivery: a slow server could pass every timeout between bytes.
          signal: AbortSignal.timeout(timeoutMs),
        })
      } catch (error) {
        throw asDeliveryFailed(error as NodemailerError)
      }
    },
    async verify() {
      try {
        await transport.verify()
      } catch (error) {
        throw asDeliveryFailed(error as NodemailerError)
      }
    },
    async close() {
      transport.close()
    },
  }
}

/** Checks the recipient again by our own grammar (R74), and returns it with its domain in ASCII (RFC 5891). */
function asciiAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  const ascii = /^[\w.-]*$/.test(domain) ? address : `${address.slice(0, at + 1)}${domainToASCII(domain)}`
  if (Email.safeParse(address).data !== address || !Email.safeParse(ascii).success)
    throw new DeliveryFailed('mail: malformed recipient', true)
  return ascii
}

/** Replies about the session or our credentials, at any command. */
const aboutUs = new Set([503, 530, 535])
/** RFC 4954 §6: our credentials are missing, wrong or too weak. */
const aboutLogin = new Set([530, 534, 535, 538])

/** Leaves out the server's text, which repeats the recipient's address (R86). */
function asDeliveryFailed({ code, originalCode, name, responseCode, command }: NodemailerError): DeliveryFailed {
  if (code === 'EAUTH' || aboutLogin.has(responseCode ?? 0))
    return new DeliveryFailed(
      `The mail server refused the login (${responseCode ?? code}): check user and password in SMTP_URL.`,
      false,
    )
  if (!responseCode) {
    const fault = name === 'TimeoutError' ? 'timeout' : (originalCode ?? code ?? 'unknown fault')
    return new DeliveryFailed(serviceFault('the mail server', fault, 'SMTP_URL'), false)
  }
  if (command === 'STARTTLS')
    return new DeliveryFailed(
      `The mail server does not offer STARTTLS (${responseCode}): enable it there, or use smtps:// in SMTP_URL.`,
      false,
    )
  if (command === 'MAIL FROM')
    return new DeliveryFailed(`The mail server refused the sender (${responseCode}): check MAIL_FROM.`, false)
  const isAboutTheMail = command === 'RCPT TO' || command === 'DATA'
  const refused = command === 'RCPT TO' ? 'the recipient' : command === 'DATA' ? 'the content' : command
  return new DeliveryFailed(
    `The mail server refused ${refused} (${responseCode}).`,
    responseCode >= 500 && isAboutTheMail && !aboutUs.has(responseCode),
  )
}
