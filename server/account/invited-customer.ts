import { sql } from 'kysely'
import type { Given } from '../../contract/endpoint.ts'
import type { Identification } from '../../contract/identification.ts'
import type { InvitedCustomer } from '../../contract/password-link.ts'
import { maskNumber } from '../../contract/rules/masks.ts'
import { findPersonalData } from '../personal-data/personal-data-store.ts'
import { canonicalLogin } from '../platform/authentication/canonical-login.ts'
import { type Db, query } from '../platform/database/database.ts'
import { decryptIdentifier, decryptPhone } from '../platform/encrypted-data/encrypted-fields.ts'
import { maskPhone } from '../platform/messages/masks.ts'
import type { Portal } from '../platform/portal.ts'
import type { Account } from './account-store.ts'

/** Number of signatures that are shown; the others are counted. */
const shownSignatures = 3

type ShownSignature = Given<typeof InvitedCustomer>['signatures']['first'][number]
type WaitingRow = Omit<ShownSignature, 'identifier'> &
  Omit<ShownSignature['identifier'], 'value'> & { id: string; encryptedNumber: Buffer; total: number }

/** Returns the signatures that are or will be valid, the first to expire first; each row contains their number. */
async function listWaitingSignatures(db: Db, accountId: string, atMost: number): Promise<WaitingRow[]> {
  return query(db).all(sql<WaitingRow>`
    select id, product, identifier_type as type, identifier_country as country, identifier_value as encrypted_number,
      valid_from, valid_to, count(*) over ()::int as total
    from signatures where account_id = ${accountId} and status = 'good' and valid_to > portal_now()
    order by valid_to, id limit ${atMost}`)
}

/** Returns the organisations whose seals wait for an e-mail address, the newest invitation first. */
async function listWaitingSeals(db: Db, email: string): Promise<string[]> {
  const rows = await query(db).all(sql<{ organisation: string }>`
    select s.organisation from seal_users u join seals s on s.id = u.seal_id
    where u.email_key = ${canonicalLogin(email)} and u.status = 'pending' and u.expires_at > portal_now()
    order by u.invited_at desc limit 3`)
  return rows.map(({ organisation }) => organisation)
}

/** Returns the data of a customer for the page of a set-up link, masked because another person may have the link (PWD-2, R86). */
export async function describeInvited(
  { db, keys, settings }: Portal,
  account: Account,
): Promise<Given<typeof InvitedCustomer>> {
  const { firstName, secondName, surname, email, phone } = account
  const signatures = await listWaitingSignatures(db, account.id, shownSignatures)
  const identification = await findPersonalData(db, keys, account.id)
  return {
    firstName,
    secondName,
    surname,
    email,
    phone: maskPhone(decryptPhone(keys, account.id, phone)),
    signatures: {
      total: signatures[0]?.total ?? 0,
      first: signatures.map(({ id, type, country, encryptedNumber, total: _, ...signature }) => ({
        ...signature,
        identifier: { type, country, value: maskNumber(decryptIdentifier(keys, id, encryptedNumber)) },
      })),
    },
    seals: settings.featuresOff.includes('seals') ? [] : await listWaitingSeals(db, email),
    identification: identification ? masked(identification) : null,
  }
}

const masked = ({ nationality, identifierType, issuingCountry, document, ...person }: Identification) => ({
  nationality,
  identifierType,
  issuingCountry,
  identificationNumber: maskNumber(person.identificationNumber),
  birthYear: Number(person.birthDate.slice(0, 4)),
  documentType: document.type,
  documentNumber: maskNumber(document.number),
  documentValidTo: document.validTo,
})
