import * as calls from '../../contract/provider/provider-seals.ts'
import type { ProviderSeal } from '../../contract/provider/provider-seals.ts'
import { readCertificate, type CertificateContent } from '../../pki/asn1/certificate.ts'
import { certificateIndex } from '../platform/encrypted-data/encrypted-fields.ts'
import {
  attributeOf,
  fault,
  isSameCertificate,
  readFiled,
  refuseFaults,
  findFiledAs,
  lockFiling,
  linkAgreement,
  storeAgreement,
} from '../certificates/filed-certificate.ts'
import { handler } from '../platform/http/http.ts'
import { removing } from '../platform/http/object-removal.ts'
import { voidInvitation } from './seal-membership-store.ts'
import {
  deleteSeal,
  findSealId,
  findSealState,
  listAllSeals,
  lockSealToRemove,
  storeSeal,
} from './provider-seal-store.ts'
import { readUsablePdf } from '../platform/pdf/pdf-work.ts'

export const putSeal = handler(calls.putSeal, async ({ params, body, fail, transaction }, { keys }) => {
  const { content, faults } = readFiled(body, 'seal')
  const index = certificateIndex(keys, content)
  return transaction(async (tx, audit) => {
    await lockFiling(tx, 'seals', params.seal, index)
    const known = await findSealState(tx, params.seal)
    const isNew = !known || !isSameCertificate(known, body)
    if (isNew) {
      refuseFaults([...faults, ...faultsOfOwner(known, content)])
      if (body.product === 'psd2-card' && !content.qualified.psd2?.roles.length)
        throw fail('certificate-differs', { reason: 'psd2-roles-missing' })
    }
    const other = await findFiledAs(tx, 'seals', params.seal, index)
    if (other) throw fail('certificate-filed', { current: other })
    const id = await storeSeal(tx, keys, params.seal, body, { content, index })
    if (!id) throw fail('state-passed', { current: 'revoked' })
    await audit('seal-stored', { seal: id })
    return (await findSealState(tx, params.seal))!
  })
})

export const getSeal = handler(calls.getSeal, async ({ params, found }, { db }) =>
  found(await findSealState(db, params.seal)),
)

/** The history of each user with access shows that it ended; invitations no longer work (R40). */
export const removeSeal = handler(
  calls.removeSeal,
  removing('seal', 'seal', async (tx, filed, audit) => {
    const seal = await lockSealToRemove(tx, filed)
    if (!seal) return undefined
    for (const { id, owner } of seal.users) {
      await voidInvitation(tx, id)
      await audit('seal-user-removed', { seal: seal.id, user: id }, owner)
    }
    await deleteSeal(tx, seal.id)
    return { owner: null, others: seal.accounts }
  }),
)

export const listProviderSeals = handler(
  calls.listProviderSeals,
  async ({ query: { customer, status, product, period, cursor }, pageById }, { db }) => {
    const { rows, next } = await pageById(
      { list: `provider seals ${customer ?? ''} ${status ?? 'all'} ${product ?? 'all'} ${period ?? 'all'}`, cursor },
      (at) => listAllSeals(db, { customer, status, product, period, ...at }),
    )
    return { items: rows.map(({ id: _, ...row }) => row), next }
  },
)

export const putSealAgreement = handler(
  calls.putSealAgreement,
  async ({ params, upload, transaction, found }, portal) => {
    const id = found(await findSealId(portal.db, params.seal))
    return storeAgreement(portal, await readUsablePdf(portal, upload), (file) =>
      transaction(async (tx, audit) => {
        const replaced = await linkAgreement(tx, 'seals', id, file)
        await audit('agreement-stored', { seal: id, sha256: file.sha256 })
        return replaced
      }),
    )
  },
)

/** The users of a seal are those of its organisation: another organisation's certificate needs its own id (PRV-2, R139). */
function faultsOfOwner(known: ProviderSeal | undefined, content: CertificateContent) {
  if (!known) return []
  const before = readCertificate(Buffer.from(known.certificate, 'base64'))
  const [was, is] = [before, content].map((read) => attributeOf(read, 'organizationIdentifier') ?? '')
  if (was === is) return []
  // An organisation has a number in each register, VATPL and NTRPL (ETSI EN 319 412-1 §5.1.4), with the same name.
  const [register, other] = [was, is].map((number) => number?.split('-')[0])
  const [name, otherName] = [before, content].map((read) => attributeOf(read, 'O')?.toLowerCase())
  if (register !== other && name === otherName) return []
  const detail =
    'Neither the organizationIdentifier is that of the seal with this id, nor O with a number of another register. File another organisation’s seal under an id of its own.'
  return [fault('certificate', detail)]
}
