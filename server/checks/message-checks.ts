import { chooseMail, chooseSms } from '../adapters/choose-adapters.ts'
import type { Configuration } from '../platform/configuration/configuration.ts'
import { isLoopback } from '../platform/configuration/keys/key-schemas.ts'
import { renderMail } from '../platform/messages/mail-template.ts'
import { DeliveryFailed } from '../platform/ports.ts'
import { failed, checkAddress, notTested, ok, warning, type Check, type CheckFinding } from './check.ts'

/** Recipients of test messages. */
export type Recipients = { mail?: string | undefined; sms?: string | undefined }

export function messageChecks(configuration: Configuration, recipients: Recipients): Check[] {
  const publicUrl = configuration.publicUrl ?? `http://127.0.0.1:${configuration.port}`
  const mail = chooseMail(configuration, publicUrl)
  const sms = chooseSms(configuration)
  const text = `A test message of ${new URL(publicUrl).host}`
  const checks: Check[] = []
  if (mail)
    checks.push({
      name: 'mail',
      run: () =>
        unlessUndelivered(async () => {
          try {
            await mail.verify()
            if (recipients.mail) await mail.send(testMail(configuration, recipients.mail, text))
          } finally {
            await mail.close()
          }
          const done = recipients.mail ? 'has accepted the test mail' : 'accepts the connection and the login'
          const fault = mailFinding(configuration)
          return fault ? warning(`The mail server ${done}. ${fault.text}`) : ok(`The mail server ${done}.`)
        }),
    })
  if (sms)
    checks.push({
      name: 'SMS',
      run: () =>
        unlessUndelivered(async () => {
          if (!recipients.sms) {
            const untested = 'A gateway is tested by a message only: sygnet check --sms NUMBER sends one.'
            return configuration.smsUrl ? checkAddress('SMS_URL', configuration.smsUrl, untested) : notTested(untested)
          }
          await sms.send({ id: crypto.randomUUID(), to: recipients.sms, text })
          return ok('The SMS gateway has accepted the test message.')
        }),
    })
  return checks
}

const testMail = ({ brand }: Configuration, to: string, text: string) => ({
  id: crypto.randomUUID(),
  to,
  ...renderMail('en', brand, { subject: 'test message', paragraphs: [`${text}. Mails of the portal arrive.`] }),
})

async function unlessUndelivered(work: () => Promise<CheckFinding>): Promise<CheckFinding> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DeliveryFailed)) throw error
    return failed(error.message)
  }
}

/** Warns if mails may be sent without TLS, except on this machine, where nobody can listen. */
function mailFinding({ smtpUrl }: Configuration): CheckFinding | undefined {
  if (!smtpUrl) return undefined
  const { protocol, hostname, searchParams } = new URL(smtpUrl)
  if (protocol !== 'smtp:' || searchParams.get('requireTLS') === 'true' || isLoopback(hostname)) return undefined
  return warning('TLS to the mail server is used only while it offers STARTTLS: add ?requireTLS=true to SMTP_URL.')
}
