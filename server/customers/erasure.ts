import { addAuditEntry } from '../platform/audit/audit.ts'
import type { Tx } from '../platform/database/database.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import type { ErasureRules, Portal } from '../platform/portal.ts'
import { erasedMail } from './customer-mails.ts'
import {
  anonymiseAccount,
  deleteAccount,
  discardFilesOf,
  listExpiredEvidence,
  lockErasable,
  lockExpired,
} from './erasure-store.ts'

/** The values that the rules of the features use. */
const collect = <T>({ features }: Portal, read: (rules: ErasureRules) => readonly T[] | T | undefined): T[] =>
  features.flatMap(({ erasure }) => (erasure && read(erasure)) ?? [])

/** `evidenceUntil`: null if there was no evidence, and the account was deleted. */
type Erasure = { evidenceUntil: Date | null } | { refused: 'active-services' | 'legal-hold' }

/**
 * Erases an account (R87, GDPR article 17): removes its names, numbers, sign-in data and marketing. An account that nobody can sign in to or
 * find keeps the evidence, and the audit trail stays. Refused while a service of the account still runs, and during a legal
 * hold (DSK-26).
 */
export async function eraseAccount(tx: Tx, portal: Portal, id: string): Promise<Erasure> {
  const { keys, settings } = portal
  const account = await lockErasable(
    tx,
    id,
    collect(portal, (rules) => rules.inUse?.(id)),
  )
  if (account?.isHeld) return { refused: 'legal-hold' }
  if (!account || account.isInUse) return { refused: 'active-services' }
  await discardFilesOf(
    tx,
    collect(portal, ({ files }) => files?.(id).removed),
  )
  for (const statement of collect(portal, (rules) => rules.remove?.(id))) await statement.execute(tx)
  for (const anonymise of collect(portal, (rules) => rules.anonymise)) await anonymise(tx, keys, id)
  await anonymiseAccount(tx, keys, id)
  const isDeleted = await deleteAccount(
    tx,
    id,
    collect(portal, (rules) => rules.isEvidence?.(id)),
  )
  const evidenceUntil = isDeleted ? null : account.evidenceUntil
  await enqueue(tx, keys, {
    channel: 'mail',
    to: account.email,
    ...erasedMail(settings, account.locale, evidenceUntil),
  })
  return { evidenceUntil }
}

/** Removes expired evidence: the files with the next round, everything else with the account. */
export async function endRetention(portal: Portal): Promise<void> {
  const { db } = portal
  for (const id of await listExpiredEvidence(db))
    await db.transaction().execute(async (tx) => {
      // Another node may have deleted it first.
      if (!(await lockExpired(tx, id))) return
      await discardFilesOf(
        tx,
        collect(portal, ({ files }) => files?.(id).kept),
      )
      for (const statement of collect(portal, (rules) => rules.removeEvidence?.(id))) await statement.execute(tx)
      if (await deleteAccount(tx, id))
        await addAuditEntry(tx, { action: 'evidence-removed', accountId: id, actor: 'system' })
    })
}
