import type { FastifyInstance } from 'fastify'
import { readMyData } from '../../contract/my-data.ts'
import { serve } from '../platform/http/http.ts'
import { maskPhone } from '../platform/messages/masks.ts'
import { readPersonalData, secondNameOf } from './personal-data-store.ts'
import type { Portal } from '../platform/portal.ts'
import { phoneOf } from '../platform/encrypted-data/encrypted-fields.ts'

/** DAT-1: the customer's data. */
export function serveMyData(app: FastifyInstance, portal: Portal): void {
  const { db, keys } = portal

  serve(app, portal, readMyData, async ({ session }) => {
    const { accountId, login, email, firstName, surname } = session
    const phone = await phoneOf(db, keys, accountId)
    return {
      id: accountId,
      login,
      email,
      phone,
      maskedPhone: maskPhone(phone),
      firstName,
      secondName: await secondNameOf(db, accountId),
      surname,
      now: session.now,
      identification: (await readPersonalData(db, keys, accountId)) ?? null,
    }
  })
}
