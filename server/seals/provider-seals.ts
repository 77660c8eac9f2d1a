import * as calls from '../../contract/provider/provider-seals.ts'
import type { ProviderSeal, ProviderSealUser } from '../../contract/provider/provider-seals.ts'
import { sealUserMoves } from '../../contract/seal-users.ts'
import { readCertificate, type CertificateContent } from '../../pki/asn1/certificate.ts'
import {
  attributeOf,
  fault,
  isSameCertificate,
  readFiled,
  refuseFaults,
  findFiledAs,
  lockFiling,
  linkAgreement,
  storeCertificateAgreement,
} from '../certificates/filed-certificate.ts'
import { canonicalLogin } from '../platform/authentication/canonical-login.ts'
import type { Tx } from '../platform/database/database.ts'
import { certificateIndex, decryptInvitedPhone } from '../platform/encrypted-data/encrypted-fields.ts'
import { handler } from '../platform/http/http.ts'
import { removing } from '../platform/http/object-removal.ts'
import { readUsablePdf } from '../platform/pdf/pdf-work.ts'
import type { Portal } from '../platform/portal.ts'
import {
  removeSealById,
  findSealId,
  findSealState,
  listAllSeals,
  lockSealToRemove,
  putSealOf,
  findAccountOf,
  findUserOf,
  hasOtherMembership,
  listUsersOf,
  updateUserOf,
} from './provider-seal-store.ts'
import { queueInvitation } from './seal-invitations.ts'
import { voidInvitation, lockSeal, addUser, isSealUser, removeUser, type SealUserRow } from './seal-membership-store.ts'

export const putSeal = handler(calls.putSeal, async ({ params, body, fail, orFail, transaction }, { keys }) => {
  const { content, faults } = readFiled(body, 'seal')
  const index = certificateIndex(keys, content)
  return transaction(async (tx, audit) => {
    await lockFiling(tx, 'seals', params.seal, index)
    const known = await findSealState(tx, params.seal)
    const isNew = !known || !isSameCertificate(known, body)
    if (isNew) {
      orFail(refuseFaults([...faults, ...faultsOfOwner(known, content)]))
      if (body.product === 'psd2-card' && !content.qualified.psd2?.roles.length)
        throw fail('certificate-differs', { reason: 'psd2-roles-missing' })
    }
    const other = await findFiledAs(tx, 'seals', params.seal, index)
    if (other) throw fail('certificate-filed', { current: other })
    const id = await putSealOf(tx, keys, params.seal, body, { content, index })
    if (!id) throw fail('state-passed', { current: 'revoked' })
    await audit('seal-stored', { seal: id })
    return (await findSealState(tx, params.seal))!
  })
})

export const getSeal = handler(calls.getSeal, async ({ params, orNotFound }, { db }) =>
  orNotFound(await findSealState(db, params.seal)),
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
    await removeSealById(tx, seal.id)
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
  async ({ params, upload, transaction, orNotFound }, portal) => {
    const id = orNotFound(await findSealId(portal.db, params.seal))
    return storeCertificateAgreement(portal, await readUsablePdf(portal, upload), (file) =>
      transaction(async (tx, audit) => {
        const replaced = await linkAgreement(tx, 'seals', id, file)
        await audit('agreement-stored', { seal: id, sha256: file.sha256 })
        return replaced
      }),
    )
  },
)

/**
 * Returns a fault if the certificate is of another organisation: the users of a seal are those of its organisation, and another
 * organisation's certificate needs its own id (PRV-2, R139).
 */
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

const pageSize = 100

export const putSealUser = handler(calls.putSealUser, ({ params, body, fail, transaction, orNotFound }, portal) =>
  transaction(async (tx, audit) => {
    const sealId = orNotFound(await findSealId(tx, params.seal))
    await lockSeal(tx, sealId)
    // An active user needs an account; the provider has identified an existing customer.
    const accountId = body.status === 'pending' ? null : ((await findAccountOf(tx, body.email)) ?? null)
    if (body.status === 'active' && !accountId) throw fail('not-found')
    const was = await findUserOf(tx, sealId, params.user)
    if (was && was.status !== body.status && !sealUserMoves[was.status].includes(body.status))
      throw fail('state-passed')
    const isNew = !was || canonicalLogin(was.email) !== canonicalLogin(body.email)
    if (isNew && body.status !== 'deleted' && (await isSealUser(tx, sealId, body.email))) throw fail('seal-user-exists')
    if (body.status === 'active' && accountId && (await hasOtherMembership(tx, sealId, accountId, params.user)))
      throw fail('seal-user-exists')
    const user = await (was
      ? changeUser(tx, portal, was, body, accountId)
      : addAndInvite(tx, portal, { sealId, providerId: params.user, accountId }, body))
    if (!user) throw fail(was ? 'last-admin' : 'seal-users-full')
    await audit(
      'seal-user-stored',
      { seal: sealId, user: user.id, status: user.status, role: user.role },
      user.accountId,
    )
    return stateOf(portal, user)
  }),
)

async function addAndInvite(
  tx: Tx,
  portal: Portal,
  { sealId, providerId, accountId }: { sealId: string; providerId: string; accountId: string | null },
  body: ProviderSealUser,
) {
  const { status, acquiredAt, deletedAt } = body
  const stated = { providerId, status, accountId, acquiredAt, deletedAt }
  const user = await addUser(tx, portal, sealId, body, { stated })
  if (user && status === 'pending') await queueInvitation(tx, portal.keys, user.id, user.expiresAt)
  return user
}

async function changeUser(
  tx: Tx,
  { keys }: Portal,
  was: SealUserRow,
  body: ProviderSealUser,
  accountId: string | null,
) {
  const { id, sealId } = was
  if (was.status === 'deleted') return was
  if (body.status === 'deleted') return removeUser(tx, { sealId, id, at: body.deletedAt })
  const wasMoved = was.email !== body.email || decryptInvitedPhone(keys, id, was.phone) !== body.phone
  const user = await updateUserOf(tx, keys, was, body, { accountId, wasMoved })
  if (user && (wasMoved || user.status !== was.status)) {
    // Links and codes that went to the earlier address or number must not work any more (R40, R41).
    await voidInvitation(tx, id)
    if (user.status === 'pending') await queueInvitation(tx, keys, id, user.expiresAt)
  }
  return user
}

export const getSealUser = handler(calls.getSealUser, async ({ params, orNotFound, isAbout }, portal) => {
  const sealId = orNotFound(await findSealId(portal.db, params.seal))
  const user = orNotFound(await findUserOf(portal.db, sealId, params.user))
  isAbout(user.accountId)
  return stateOf(portal, user)
})

export const listProviderSealUsers = handler(
  calls.listProviderSealUsers,
  async ({ params, query, orNotFound, page }, portal) => {
    const sealId = orNotFound(await findSealId(portal.db, params.seal))
    const { rows, next } = await page(
      { list: `provider-seal-users ${sealId}`, cursor: query.cursor, size: pageSize },
      (after: { number: number } | undefined) => listUsersOf(portal.db, sealId, after?.number ?? 0, pageSize),
      ({ number }) => ({ number }),
    )
    return { items: rows.map((row) => stateOf(portal, row)), next }
  },
)

function stateOf({ keys }: Portal, user: SealUserRow) {
  const { number, email, firstName, surname, role, locale, status, acquiredAt, deletedAt } = user
  return {
    user: user.providerId,
    number,
    email,
    phone: decryptInvitedPhone(keys, user.id, user.phone),
    firstName,
    surname,
    role,
    locale,
    status,
    acquiredAt,
    deletedAt,
  }
}
