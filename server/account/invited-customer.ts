import type { InvitedCustomer } from '../../contract/password-link.ts'
import type { Identification } from '../../contract/personal-data.ts'
import { maskNumber } from '../../contract/rules/masks.ts'
import { maskPhone } from '../platform/messages/masks.ts'
import { readPersonalData } from '../personal-data/personal-data-store.ts'
import type { Portal } from '../platform/portal.ts'
import { decryptIdentifier, decryptPhone } from '../platform/encrypted-data/encrypted-fields.ts'
import type { Account } from './account-store.ts'
import { waitingSeals, waitingSignatures } from './invited-store.ts'

/** So many signatures are shown; the others are counted. */
const shownSignatures = 3

/** What the page of a set-up link shows of its customer, masked because another person may hold the link (PWD-2, R86). */
export async function describeInvited({ db, keys, settings }: Portal, account: Account): Promise<InvitedCustomer> {
  const { firstName, secondName, surname, email, phone } = account
  const signatures = await waitingSignatures(db, account.id, shownSignatures)
  const identification = await readPersonalData(db, keys, account.id)
  return {
    firstName,
    secondName,
    surname,
    email,
    phone: maskPhone(decryptPhone(keys, account.id, phone)),
    signatures: {
      total: signatures[0]?.total ?? 0,
      first: signatures.map(({ id, product, type, country, encryptedNumber, validFrom, validTo }) => ({
        product,
        identifier: { type, country, value: maskNumber(decryptIdentifier(keys, id, encryptedNumber)) },
        validFrom: validFrom.toISOString(),
        validTo: validTo.toISOString(),
      })),
    },
    seals: settings.featuresOff.includes('seals') ? [] : await waitingSeals(db, email),
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
