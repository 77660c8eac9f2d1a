import * as calls from '../../contract/provider/provider-seals.ts'
import type { ProviderSealUser } from '../../contract/provider/provider-seals.ts'
import { sealUserMoves } from '../../contract/seal-users.ts'
import { canonicalLogin } from '../platform/authentication/canonical-login.ts'
import type { Tx } from '../platform/database/database.ts'
import { handler } from '../platform/http/http.ts'
import type { Portal } from '../platform/portal.ts'
import { queueInvitation } from './seal-invitations.ts'
import {
  lockSeal,
  insertSealUser,
  isSealUser,
  removeUser,
  voidInvitation,
  type SealUserRow,
} from './seal-membership-store.ts'
import { decryptInvitedPhone } from '../platform/encrypted-data/encrypted-fields.ts'
import {
  findAccountOf,
  findSealId,
  findUserOf,
  hasOtherMembership,
  listUsersOf,
  updateUserOf,
} from './provider-seal-store.ts'

const pageSize = 100

export const putSealUser = handler(calls.putSealUser, ({ params, body, fail, transaction, found }, portal) =>
  transaction(async (tx, audit) => {
    const sealId = found(await findSealId(tx, params.seal))
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
      ? change(portal, tx, was, body, accountId)
      : add(portal, tx, sealId, params.user, body, accountId))
    if (!user) throw fail(was ? 'last-admin' : 'seal-users-full')
    await audit(
      'seal-user-stored',
      { seal: sealId, user: user.id, status: user.status, role: user.role },
      user.accountId,
    )
    return stateOf(portal, user)
  }),
)

async function add(
  portal: Portal,
  tx: Tx,
  sealId: string,
  providerId: string,
  body: ProviderSealUser,
  accountId: string | null,
) {
  const { status, acquiredAt, deletedAt } = body
  const stated = { providerId, status, accountId, acquiredAt, deletedAt }
  const user = await insertSealUser(tx, portal, sealId, body, { stated })
  if (user && status === 'pending') await queueInvitation(tx, portal.keys, user.id, user.expiresAt)
  return user
}

async function change({ keys }: Portal, tx: Tx, was: SealUserRow, body: ProviderSealUser, accountId: string | null) {
  const { id, sealId } = was
  if (was.status === 'deleted') return was
  if (body.status === 'deleted') return removeUser(tx, { sealId, id, at: body.deletedAt })
  const moved = was.email !== body.email || decryptInvitedPhone(keys, id, was.phone) !== body.phone
  const user = await updateUserOf(tx, keys, was, body, { accountId, moved })
  if (user && (moved || user.status !== was.status)) {
    // Links and codes that went to the earlier address or number must not work any more (R40, R41).
    await voidInvitation(tx, id)
    if (user.status === 'pending') await queueInvitation(tx, keys, id, user.expiresAt)
  }
  return user
}

export const getSealUser = handler(calls.getSealUser, async ({ params, found, isAbout }, portal) => {
  const sealId = found(await findSealId(portal.db, params.seal))
  const user = found(await findUserOf(portal.db, sealId, params.user))
  isAbout(user.accountId)
  return stateOf(portal, user)
})

export const listProviderSealUsers = handler(
  calls.listProviderSealUsers,
  async ({ params, query, found, page }, portal) => {
    const sealId = found(await findSealId(portal.db, params.seal))
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
    acquiredAt: acquiredAt?.toISOString() ?? null,
    deletedAt: deletedAt?.toISOString() ?? null,
  }
}
