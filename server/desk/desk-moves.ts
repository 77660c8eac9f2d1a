import * as calls from '../../contract/desk/desk-moves.ts'
import type { MovableKind, MoveObstacle } from '../../contract/desk/desk-moves.ts'
import type { Locale } from '../../contract/enums.ts'
import { productPhrase } from '../../contract/product-text.ts'
import { endSentence } from '../../contract/rules/end-sentence.ts'
import { commonName, holderMismatch, isNamed, type Identifier } from '../../contract/rules/renewal-rules.ts'
import { readCertificate } from '../../pki/asn1/certificate.ts'
import { identifierIn } from '../certificates/filed-certificate.ts'
import { decryptSigner, findOwnDocumentCase } from '../documents/document-case-store.ts'
import { notifyOfDocument } from '../documents/document-mails.ts'
import { findPersonalData } from '../personal-data/personal-data-store.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import { renderMail, pageLink } from '../platform/messages/mail-template.ts'
import { enqueue } from '../platform/messages/outbox.ts'
import type { Portal } from '../platform/portal.ts'
import type { Settings } from '../platform/settings.ts'
import { lockSealOf, voidInvitation } from '../seals/seal-membership-store.ts'
import { findOwner, holderOf } from '../signatures/provider-signature-store.ts'
import { lookAgain } from '../signatures/reminder-store.ts'
import { findDeskRow, lockDeskRow, type DeskRow } from './desk-customer-store.ts'
import { readCustomerNow } from './desk-customers.ts'
import {
  findHolder,
  findNamedUser,
  findSealOfAccess,
  findSigner,
  lockObject,
  moveObject,
  findObstacleIn,
  type Move,
  type SealOfAccess,
} from './desk-move-store.ts'
import { masked } from './masked-identity.ts'
import { lookUpHandler, runRecordingRefusal } from './staff-limits.ts'

// An object that the provider has filed under the wrong customer is moved to the right one (DSK-21).

export const findMoveTarget = lookUpHandler(
  calls.findMoveTarget,
  async ({ params, body, orNotFound, transaction }, portal) => {
    const from = orNotFound(await findDeskRow(portal.db, portal.keys, params.id))
    const owner = await findOwner(portal.db, body.customer)
    const to = owner && targetIn(await findDeskRow(portal.db, portal.keys, owner.id))
    const shown = to && (await findObstacleTo(portal, portal.db, params.kind, { id: params.object, from, to }))
    // A search that finds nothing is an entry too (R237).
    await transaction((_, audit) => audit('desk-searched', { by: 'move', found: shown ? 1 : 0 }, shown ? to.id : null))
    return { to: masked(orNotFound(to)), obstacle: orNotFound(shown).obstacle }
  },
)

export const moveAtDesk = lookUpHandler(
  calls.moveAtDesk,
  async ({ params, body, fail, orNotFound, transaction }, portal) => {
    const { kind, object } = params
    const tried = { action: 'move', about: params.id, kind, object, to: body.to } as const
    await runRecordingRefusal(transaction, tried, () =>
      transaction(async (tx, audit) => {
        const [from, to] = await lockBoth(tx, portal, params.id, body.to)
        const move: Move = { id: object, from: orNotFound(from), to: orNotFound(targetIn(to)) }
        const { id: former, customer: previous } = move.from
        if (kind === 'seal') await lockSealOf(tx, object)
        await lockObject(tx, kind, object)
        const { filed, obstacle } = orNotFound(await findObstacleTo(portal, tx, kind, move))
        if (obstacle || !(await moveObject(tx, portal.keys, kind, move)))
          throw fail('object-in-use', { reason: obstacle ?? 'in-use' })
        await afterMove[kind]?.(tx, portal, move)
        const details = { kind, object, filed }
        await audit('desk-object-moved', { ...details, to: move.to.id }, former)
        await audit('desk-object-moved', { ...details, from: former, ...(previous && { previous }) }, move.to.id)
      }),
    )
    return orNotFound(await readCustomerNow(portal, params.id))
  },
)

/**
 * Refuses an account that cannot have the object: nobody can sign in to an unconfirmed registration, which ends by
 * itself, and the provider knows a customer by its own id.
 */
const targetIn = (row: DeskRow | undefined) => (row?.isConfirmed && row.customer !== null ? row : undefined)

/** Locks both accounts in one order, so that two moves never wait for each other. */
async function lockBoth(tx: Tx, { keys }: Portal, from: string, to: string) {
  const rows = new Map<string, DeskRow | undefined>()
  for (const id of [from, to].toSorted()) rows.set(id, await lockDeskRow(tx, keys, id))
  return [rows.get(from), rows.get(to)] as const
}

/** Finds the provider's id of the object and the obstacle to its move; undefined if there is no such object. */
async function findObstacleTo(
  portal: Portal,
  db: Db,
  kind: MovableKind,
  move: Move,
): Promise<{ filed: string; obstacle: MoveObstacle | null } | undefined> {
  const found = await findObstacleIn(db, kind, move)
  if (!found || found.obstacle) return found
  if (move.from.id === move.to.id) return { ...found, obstacle: 'same' }
  // Read under the lock of both accounts (R251).
  if (move.from.heldAt ?? move.to.heldAt) return { ...found, obstacle: 'legal-hold' }
  return { ...found, obstacle: (await isHolder[kind](portal, db, move)) ? null : 'holder' }
}

/**
 * Checks for each kind whether the object is the customer's, by what the provider has filed: a certificate by the rule for filing it, but
 * only for a customer whose identification is known; a document by its signer; access to a seal by the name, which the present user does
 * not have. So nobody at the desk can give it to anybody else (R243).
 */
const isHolder: Record<MovableKind, (portal: Portal, db: Db, move: Move) => Promise<boolean>> = {
  async certificate({ keys }, db, { id, to }) {
    const [holder, identification] = [await findHolder(db, keys, id), await findPersonalData(db, keys, to.id)]
    if (!holder || !identification) return false
    return !holderMismatch(holderOf(readCertificate(holder.certificate), holder.type), to, identification)
  },
  async document({ keys }, db, { id, to }) {
    const [found, identification] = [await findSigner(db, id), await findPersonalData(db, keys, to.id)]
    if (!found || !identification) return false
    const identifier = identifierIn(decryptSigner(keys, found)) as Identifier
    return !holderMismatch({ identifier, names: [] }, to, identification)
  },
  async seal({ keys }, db, { id, from, to }) {
    const [user, identification] = [await findNamedUser(db, id), await findPersonalData(db, keys, to.id)]
    if (!user || !identification) return false
    const name = commonName({ givenName: user.firstName, surname: user.surname })
    return isNamed(name, to) && !isNamed(name, from)
  },
}

/** The news of moved access: `taken` for the former user of a seal, `given` for the new one, `moved` for its other Administrators. */
type News = 'taken' | 'given' | 'moved'

/** Tells that access to a seal was moved from one customer to another, so that nobody gives it away unnoticed (R243). */
export function movedAccessMail(
  settings: Settings,
  locale: Locale,
  { organisation, product, number, news }: Omit<SealOfAccess, 'administrators'> & { news: News },
) {
  const { brand, featuresOff } = settings
  const areSealsOff = featuresOff.includes('seals')
  const text = {
    pl: {
      subject: 'zmiana dostępu do pieczęci',
      news: {
        taken:
          'Nie masz już dostępu do pieczęci kwalifikowanej, który przez pomyłkę był przypisany do Twojego konta. Przenieśliśmy go na właściwe konto.',
        given: 'Masz dostęp do pieczęci kwalifikowanej. Wcześniej przez pomyłkę był przypisany do innego konta.',
        moved: `Dostęp użytkownika nr ${number} do pieczęci kwalifikowanej przenieśliśmy na inne konto, bo był przypisany przez pomyłkę.${areSealsOff ? '' : ' Jego dane znajdziesz na liście użytkowników.'}`,
      },
      seal: `Rodzaj: pieczęć ${productPhrase[product].pl}. ${endSentence(`Organizacja: ${organisation}`)}`,
      label: 'Zobacz pieczęcie',
      note: `Jeśli to się nie zgadza, zadzwoń od razu: ${brand.phone}.`,
    },
    en: {
      subject: 'access to a seal has changed',
      news: {
        taken:
          'You no longer have access to a qualified seal, which was assigned to your account by mistake. We have moved it to the right account.',
        given: 'You have access to a qualified seal. It was assigned to another account by mistake before.',
        moved: `We have moved the access of user no. ${number} of a qualified seal to another account, because it was assigned by mistake.${areSealsOff ? '' : ' You’ll find the details in the list of users.'}`,
      },
      seal: `Type: seal ${productPhrase[product].en}. ${endSentence(`Organisation: ${organisation}`)}`,
      label: 'View seals',
      note: `If this isn’t right, call us right away: ${brand.phone}.`,
    },
  }[locale]
  return renderMail(locale, brand, {
    subject: text.subject,
    paragraphs: [text.news[news], text.seal],
    ...pageLink(settings, locale, 'seals', text.label),
    note: text.note,
  })
}

/** Further changes after a move, in the same transaction. */
const afterMove: { [K in MovableKind]?: (tx: Tx, portal: Portal, move: Move) => Promise<unknown> } = {
  async certificate(tx, _, { from, to }) {
    for (const account of [from.id, to.id].toSorted()) await lookAgain(tx, account)
  },
  async document(tx, portal, { id, to }) {
    const row = await findOwnDocumentCase(tx, to.id, id)
    if (row?.documentFile) await notifyOfDocument(tx, portal, row, { news: 'waiting' })
  },
  async seal(tx, portal, { id, from, to }) {
    await voidInvitation(tx, id)
    const { administrators, ...seal } = (await findSealOfAccess(tx, id))!
    const concerned = [
      { ...from, news: 'taken' as const },
      { ...to, news: 'given' as const },
      ...administrators.map((each) => ({ ...each, news: 'moved' as const })),
    ]
    for (const { email, locale, news } of concerned) {
      const mail = movedAccessMail(portal.settings, locale, { ...seal, news })
      await enqueue(tx, portal.keys, { channel: 'mail', to: email, ...mail })
    }
  },
}
