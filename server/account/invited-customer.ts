import type { InvitedCustomer } from '../../contract/password-link.ts'
import type { Identification } from '../../contract/personal-data.ts'
import { maskNumber, maskPhone } from '../masks.ts'
import { readPersonalData } from '../personal-data.ts'
import type { Portal } from '../portal.ts'
import { openIdentifier, openPhone } from '../sealed-fields.ts'
import type { Account } from './account-queries.ts'
import { waitingSeals, waitingSignatures } from './invited-queries.ts'

/** Signatures that are shown one by one; the others are counted. */
const shownSignatures = 3

/** What the page of a set-up link says of its customer, masked for whoever else may hold the link (PWD-2, R86). */
export async function describeInvited({ db, keys }: Portal, account: Account): Promise<InvitedCustomer> {
  const { firstName, secondName, surname, email, phone } = account
  const signatures = await waitingSignatures(db, account.id, shownSignatures)
  const identification = await readPersonalData(db, keys, account.id)
  return {
    firstName,
    secondName,
    surname,
    email,
    phone: maskPhone(openPhone(keys, account.id, phone)),
    signatures: {
      total: signatures[0]?.total ?? 0,
      first: signatures.map(({ id, product, type, country, sealed, validFrom, validTo }) => ({
        product,
        identifier: { type, country, value: maskNumber(openIdentifier(keys, id, sealed)) },
        validFrom: validFrom.toISOString(),
        validTo: validTo.toISOString(),
      })),
    },
    seals: await waitingSeals(db, email),
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
