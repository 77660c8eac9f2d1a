import type { Deliveries } from '../messages/message.ts'
import { sendSms } from '../messages/sms-policy.ts'
import type { Portal } from '../portal.ts'

/** Returns the deliveries of the outbox for each channel: mails and SMS by the ports, the others by the feature that queued them. */
export function createDeliveries(portal: Portal): Deliveries {
  const own = portal.features.flatMap(({ deliver = {} }) =>
    Object.entries(deliver).map(([channel, send]) => [channel, (message: never) => send(portal, message)]),
  )
  return {
    mail: (mail) => portal.ports.mail.send(mail),
    sms: (sms) => sendSms(portal, sms),
    ...(Object.fromEntries(own) as Omit<Deliveries, 'mail' | 'sms'>),
  }
}
