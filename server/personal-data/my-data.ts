import * as calls from '../../contract/my-data.ts'
import { handler } from '../platform/http/http.ts'
import { maskPhone } from '../platform/messages/masks.ts'
import { readPersonalData, secondNameOf } from './personal-data-store.ts'
import { phoneOf } from '../platform/encrypted-data/encrypted-fields.ts'

/** DAT-1: the customer's data. */
export const readMyData = handler(calls.readMyData, async ({ session }, { db, keys }) => {
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
