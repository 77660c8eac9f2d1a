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
  const inUse = collect(portal, (rules) => rules.inUse?.(id))
  const account = await lockErasable(tx, id, inUse)
  if (account?.isHeld) return { refused: 'legal-hold' }
  if (!account || account.isInUse) return { refused: 'active-services' }
  const removed = collect(portal, ({ files }) => files?.(id).removed)
  await discardFilesOf(tx, removed)
  for (const statement of collect(portal, (rules) => rules.remove?.(id))) await statement.execute(tx)
  for (const anonymise of collect(portal, (rules) => rules.anonymise)) await anonymise(tx, keys, id)
  await anonymiseAccount(tx, keys, id)
  const isEvidence = collect(portal, (rules) => rules.isEvidence?.(id))
  const evidenceUntil = (await deleteAccount(tx, id, isEvidence)) ? null : account.evidenceUntil
  const mail = erasedMail(settings, account.locale, evidenceUntil)
  await enqueue(tx, keys, { channel: 'mail', to: account.email, ...mail })
  return { evidenceUntil }
}

/** Removes expired evidence: the files with the next round, everything else with the account. */
export async function endRetention(portal: Portal): Promise<void> {
  const { db } = portal
  for (const id of await listExpiredEvidence(db))
    await db.transaction().execute(async (tx) => {
      // Another node may have deleted it first.
      if (!(await lockExpired(tx, id))) return
      const kept = collect(portal, ({ files }) => files?.(id).kept)
      await discardFilesOf(tx, kept)
      for (const statement of collect(portal, (rules) => rules.removeEvidence?.(id))) await statement.execute(tx)
      if (await deleteAccount(tx, id))
        await addAuditEntry(tx, { action: 'evidence-removed', accountId: id, actor: 'system' })
    })
}
