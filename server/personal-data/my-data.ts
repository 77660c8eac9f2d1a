import type { FastifyInstance } from 'fastify'
import { readMyData, revealNumber, type MyData, type RevealableNumber } from '../../contract/my-data.ts'
import type { Identification } from '../../contract/personal-data.ts'
import { record } from '../audit.ts'
import { serve } from '../http.ts'
import { maskNumber, maskPhone } from '../masks.ts'
import { readPersonalData } from '../personal-data.ts'
import type { Portal } from '../portal.ts'
import { phoneOf } from '../sealed-fields.ts'
import type { LiveSession } from '../session.ts'
import { secondNameOf } from './my-data-queries.ts'

/** DAT-1: what is known of the customer. Numbers leave the server whole one at a time, behind the step-up, on the record. */
export function serveMyData(app: FastifyInstance, portal: Portal): void {
  const { db, keys } = portal

  serve(app, portal, readMyData, async ({ session }) => {
    const { accountId, login, email, firstName, surname } = session
    const identification = await readPersonalData(db, keys, accountId)
    return {
      id: accountId,
      login,
      email,
      phone: maskPhone(await phoneOf(db, keys, accountId)),
      firstName,
      secondName: await secondNameOf(db, accountId),
      surname,
      identification: identification ? masked(identification) : null,
    }
  })

  serve(app, portal, revealNumber, async ({ params, body, session, address, fail }) => {
    if (params.id !== session.accountId) throw fail('not-found')
    const value = await numberOf(session, body.number)
    if (value === undefined) throw fail('not-found')
    await db.transaction().execute((tx) =>
      record(tx, {
        act: 'personal-data-revealed',
        accountId: session.accountId,
        actor: 'customer',
        address,
        details: { number: body.number },
      }),
    )
    return { value }
  })

  async function numberOf({ accountId }: LiveSession, number: RevealableNumber): Promise<string | undefined> {
    if (number === 'phone') return phoneOf(db, keys, accountId)
    const known = await readPersonalData(db, keys, accountId)
    return number === 'identification-number' ? known?.identificationNumber : known?.document.number
  }
}

const masked = (known: Identification): MyData['identification'] => ({
  ...known,
  identificationNumber: maskNumber(known.identificationNumber),
  document: { ...known.document, number: maskNumber(known.document.number) },
})
