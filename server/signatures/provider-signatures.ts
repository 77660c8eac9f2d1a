import { randomUUIDv7 } from 'node:crypto'
import type { ProblemData } from '../../contract/errors.ts'
import * as calls from '../../contract/provider/provider-signatures.ts'
import type { ProviderSignature } from '../../contract/provider/provider-signatures.ts'
import { holderMismatch } from '../../contract/rules/renewal-rules.ts'
import type { CertificateContent } from '../../pki/asn1/certificate.ts'
import {
  attributeOf,
  fault,
  identifierIn,
  isSameCertificate,
  readFiled,
  refuseFaults,
  findFiledAs,
  lockFiling,
  linkAgreement,
  storeCertificateAgreement,
} from '../certificates/filed-certificate.ts'
import { findPersonalData } from '../personal-data/personal-data-store.ts'
import type { Tx } from '../platform/database/database.ts'
import { certificateIndex } from '../platform/encrypted-data/encrypted-fields.ts'
import type { Keys } from '../platform/encryption/keys.ts'
import { handler } from '../platform/http/http.ts'
import { removing } from '../platform/http/object-removal.ts'
import { readUsablePdf } from '../platform/pdf/pdf-work.ts'
import {
  removeNamedSignature,
  findForAgreement,
  findOwner,
  findNamedSignature,
  findState,
  listAllSignatures,
  putSignatureOf,
  type Owner,
  holderOf,
} from './provider-signature-store.ts'

export const putSignature = handler(
  calls.putSignature,
  async ({ params, body, fail, orFail, transaction, orNotFound }, { keys }) => {
    const { content, faults } = readFiled(body, 'signature')
    const index = certificateIndex(keys, content)
    return transaction(async (tx, audit) => {
      await lockFiling(tx, 'signatures', params.signature, index)
      const owner = orNotFound(await findOwner(tx, body.customer))
      const known = await findNamedSignature(tx, keys, params.signature)
      if (known && known.owner !== owner.id) throw fail('not-found')
      // A filed certificate can always be suspended and revoked, even if it no longer fits the customer's data.
      const isNew = !known || !isSameCertificate(known, body)
      if (isNew || known.identifierType !== body.identifierType)
        orFail(refuseFaults([...faults, ...(await listOwnerFaults(tx, keys, owner, body, content))]))
      const other = await findFiledAs(tx, 'signatures', params.signature, index)
      if (other) throw fail('certificate-filed', { current: other })
      const ids = { id: known?.id ?? randomUUIDv7(), owner: owner.id, providerId: params.signature }
      const stored = await putSignatureOf(tx, keys, ids, body, { content, index })
      if (!stored) throw fail('state-passed', { current: 'revoked' })
      await audit('signature-stored', { signature: stored.id }, stored.owner)
      return orNotFound(await findState(tx, keys, params.signature))
    })
  },
)

export const getSignature = handler(calls.getSignature, async ({ params, orNotFound }, { db, keys }) =>
  orNotFound(await findState(db, keys, params.signature)),
)

export const removeSignature = handler(calls.removeSignature, removing('signature', 'signature', removeNamedSignature))

export const listProviderSignatures = handler(
  calls.listProviderSignatures,
  async ({ query: { customer, status, product, period, cursor }, pageById }, { db }) => {
    const { rows, next } = await pageById(
      {
        list: `provider signatures ${customer ?? ''} ${status ?? 'all'} ${product ?? 'all'} ${period ?? 'all'}`,
        cursor,
      },
      (at) => listAllSignatures(db, { customer, status, product, period, ...at }),
    )
    return { items: rows.map(({ id: _, ...row }) => row), next }
  },
)

export const putAgreement = handler(calls.putAgreement, async ({ params, upload, transaction, orNotFound }, portal) => {
  const signature = orNotFound(await findForAgreement(portal.db, params.signature))
  return storeCertificateAgreement(portal, await readUsablePdf(portal, upload), (file) =>
    transaction(async (tx, audit) => {
      const replaced = await linkAgreement(tx, 'signatures', signature.id, file)
      await audit('agreement-stored', { signature: signature.id, sha256: file.sha256 }, signature.owner)
      return replaced
    }),
  )
})

/**
 * Compares what the certificate says about the person with what the call and the customer's identification say, and returns the faults
 * (PRV-2).
 */
async function listOwnerFaults(
  tx: Tx,
  keys: Keys,
  owner: Owner,
  { identifierType }: ProviderSignature,
  content: CertificateContent,
): Promise<NonNullable<ProblemData['fields']>> {
  const identifier = identifierIn(attributeOf(content, 'serialNumber') ?? '')
  if (identifier.type !== identifierType) {
    const detail = `The serialNumber in the subject is of type ${identifier.type} (ETSI EN 319 412-1 §5.1.3).`
    return [fault('identifierType', detail)]
  }
  const identification = await findPersonalData(tx, keys, owner.id)
  if (!identification) return []
  const found = holderMismatch(holderOf(content, identifierType), owner, identification)
  return found ? [fault('certificate', holderTexts[found])] : []
}

const holderTexts = {
  number:
    'The serialNumber in the subject is neither the identification number nor the document number of this customer.',
  name: 'The serialNumber in the subject is not known of this customer, and the subject does not have the customer’s names.',
}
