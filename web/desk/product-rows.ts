import type { CaseKind } from '../../contract/desk/desk-cases.ts'
import type { MovableKind } from '../../contract/desk/desk-moves.ts'
import type { CaseWait, DeskProducts } from '../../contract/desk/desk-products.ts'
import type { Locale, Text } from '../../contract/enums.ts'
import type { SealUserRole } from '../../contract/seals.ts'
import type { CertificateStatus, StatusChange } from '../../contract/signatures-and-seals.ts'
import type { StatusRequestState } from '../../contract/status-requests.ts'
import { processText } from '../../contract/vouchers.ts'
import { formatDate, formatDateTime } from '../text/format.ts'
import { signatureProductText, sealProductText } from '../text/product-text.ts'
import type { BadgeKind, StatusLook } from '../ui/badge.tsx'
import { documentStateText, refusedText, renewalStateText, voucherStateText, waitsFor } from './case-text.ts'

/** A line of what a customer has: what it is, its number, its state, and what else matters. */
export type ProductRow = {
  id: string
  what: string
  number: string
  look: StatusLook
  detail: string
  /** Kind of the case, if it can be followed. */
  follow?: CaseKind
  /** Kind of the object, if it can be moved to another customer. */
  move?: MovableKind
  /** Whether the row is an invitation, which can be sent again and withdrawn. */
  isInvitation?: true
}

export type ProductGroup = { name: keyof DeskProducts; title: Text; rows: ProductRow[]; hasMore: boolean }

const statusLook: Record<CertificateStatus, StatusLook> = {
  good: { kind: 'ok', icon: 'check-circle', text: { pl: 'Ważny', en: 'Valid' } },
  suspended: { kind: 'error-strong', icon: 'alert', text: { pl: 'Zawieszony', en: 'Suspended' } },
  revoked: { kind: 'muted', icon: 'minus-circle', text: { pl: 'Unieważniony', en: 'Revoked' } },
}
const expired: StatusLook = { kind: 'muted', icon: 'minus-circle', text: { pl: 'Wygasł', en: 'Expired' } }
const pendingInvitation: StatusLook = {
  kind: 'info',
  icon: 'mail',
  text: { pl: 'Czeka na klienta', en: 'Waiting for the customer' },
}
const superfluousInvitation: StatusLook = {
  kind: 'warning',
  icon: 'warning',
  text: { pl: 'Zbędne: ma już dostęp', en: 'Superfluous: already has access' },
}
const expiredInvitation: StatusLook = { kind: 'muted', icon: 'minus-circle', text: { pl: 'Wygasło', en: 'Expired' } }

const activeLook: StatusLook = { kind: 'ok', icon: 'check-circle', text: { pl: 'Aktywne', en: 'Active' } }
const inactiveLook: StatusLook = { kind: 'muted', icon: 'minus-circle', text: { pl: 'Nieaktywne', en: 'Inactive' } }

const certificateLook = ({ status, isExpired }: { status: CertificateStatus; isExpired: boolean }) =>
  status === 'good' && isExpired ? expired : statusLook[status]

const roleText: Record<SealUserRole, Text> = {
  admin: { pl: 'Administrator', en: 'Administrator' },
  user: { pl: 'Użytkownik', en: 'User' },
}
const changeText: Record<StatusChange, Text> = {
  suspend: { pl: 'Zawieszenie', en: 'Suspension' },
  resume: { pl: 'Cofnięcie zawieszenia', en: 'End of a suspension' },
  revoke: { pl: 'Unieważnienie', en: 'Revocation' },
}
const requestLook: Record<StatusRequestState, StatusLook> = {
  requested: { kind: 'info', icon: 'hourglass', text: { pl: 'Czeka na dostawcę', en: 'Waiting for the provider' } },
  done: { kind: 'ok', icon: 'check-circle', text: { pl: 'Wykonane', en: 'Done' } },
  refused: { kind: 'error', icon: 'alert', text: { pl: 'Odmówiono', en: 'Refused' } },
  replaced: { kind: 'muted', icon: 'minus-circle', text: { pl: 'Zastąpione', en: 'Replaced' } },
}

/** Returns the look of a case: one that waits for somebody is highlighted, an ended one is not. */
function caseLook(text: Text, waits: CaseWait | null, kind?: BadgeKind): StatusLook {
  if (kind) return { kind, icon: 'alert', text }
  return waits ? { kind: 'info', icon: 'hourglass', text } : { kind: 'muted', icon: 'check-circle', text }
}

/** Returns a customer's products and cases by kind, in the order in which callers ask for them, without empty kinds. */
export function productGroups(locale: Locale, products: DeskProducts): ProductGroup[] {
  const group = <T>(
    name: keyof DeskProducts,
    title: Text,
    { items, hasMore }: { items: readonly T[]; hasMore: boolean },
    row: (locale: Locale, item: T) => ProductRow,
  ): ProductGroup => ({ name, title, hasMore, rows: items.map((item) => row(locale, item)) })
  const { renewals, documents, vouchers, invitations, statusRequests, certificates, seals, timestamps } = products
  return [
    group('renewals', { pl: 'Odnowienia', en: 'Renewals' }, renewals, renewalRow),
    group('documents', { pl: 'Dokumenty', en: 'Documents' }, documents, documentRow),
    group('vouchers', { pl: 'Sprawy z\u00a0voucherów', en: 'Voucher cases' }, vouchers, voucherRow),
    group('invitations', { pl: 'Zaproszenia do pieczęci', en: 'Invitations to seals' }, invitations, invitationRow),
    group(
      'statusRequests',
      { pl: 'Zlecenia zmiany statusu', en: 'Status change requests' },
      statusRequests,
      statusRequestRow,
    ),
    group('certificates', { pl: 'Certyfikaty', en: 'Certificates' }, certificates, certificateRow),
    group('seals', { pl: 'Dostęp do pieczęci', en: 'Access to seals' }, seals, sealRow),
    group('timestamps', { pl: 'Konta znaczników czasu', en: 'Timestamp accounts' }, timestamps, timestampRow),
  ].filter(({ rows }) => rows.length)
}

type Item<N extends keyof DeskProducts> = DeskProducts[N]['items'][number]

const validUntilText = (locale: Locale, moment: string) =>
  ({ pl: `do ${formatDate('pl', moment, 'short')}`, en: `until ${formatDate('en', moment, 'short')}` })[locale]

/** Returns the text that says whom a case waits for and since when, or when it ended. */
function waitDetail(locale: Locale, { waits, since }: { waits: CaseWait | null; since: string }) {
  const moment = formatDateTime(locale, since, 'short')
  if (!waits) return { pl: `Zakończono ${moment}`, en: `Ended on ${moment}` }[locale]
  return { pl: `${waitsFor(waits).pl} od ${moment}`, en: `${waitsFor(waits).en} since ${moment}` }[locale]
}

function renewalRow(locale: Locale, renewal: Item<'renewals'>): ProductRow {
  const { id, number, state, waits } = renewal
  const hasFailed = waits === 'renewal-signature-again' || state === 'failed'
  return {
    id,
    what: { pl: 'Odnowienie', en: 'Renewal' }[locale],
    number,
    look: caseLook(renewalStateText[state], waits, hasFailed ? 'error' : undefined),
    detail: waitDetail(locale, renewal),
    follow: 'renewal',
  }
}

function documentRow(locale: Locale, document: Item<'documents'>): ProductRow {
  const { id, number, process, state, refusal, waits } = document
  const isMovable = state === 'passed-to-subscriber' || state === 'subscriber-downloaded'
  return {
    id,
    what: process[locale],
    number,
    look: refusal ? caseLook(refusedText, waits, 'error') : caseLook(documentStateText[state], waits),
    detail: waitDetail(locale, document),
    follow: 'document',
    ...(isMovable && { move: 'document' }),
  }
}

function voucherRow(locale: Locale, voucher: Item<'vouchers'>): ProductRow {
  const { id, number, process, state, providerStatus, waits } = voucher
  return {
    id,
    what: processText[process][locale],
    number,
    look: caseLook(voucherStateText[state], waits, state === 'finished-unsuccessfully' ? 'error' : undefined),
    detail: [providerStatus, waitDetail(locale, voucher)].filter(Boolean).join(' · '),
    follow: 'voucher',
  }
}

const sealName = (locale: Locale, { product, role }: Pick<Item<'seals'>, 'product' | 'role'>) =>
  `${sealProductText[product][locale]} (${roleText[role][locale]})`

function invitationRow(locale: Locale, invitation: Item<'invitations'>): ProductRow {
  const { id, filed, invitedAt, expiresAt, isExpired, isSuperfluous } = invitation
  const sent = formatDateTime(locale, invitedAt, 'short')
  const validity = validUntilText(locale, expiresAt)
  return {
    id,
    what: sealName(locale, invitation),
    number: filed,
    look: isSuperfluous ? superfluousInvitation : isExpired ? expiredInvitation : pendingInvitation,
    detail: { pl: `wysłane ${sent}, ważne ${validity}`, en: `sent on ${sent}, valid ${validity}` }[locale],
    isInvitation: true,
  }
}

function statusRequestRow(locale: Locale, request: Item<'statusRequests'>): ProductRow {
  const { id, of, change, state, requestedAt, deadline, decidedAt } = request
  const at = (moment: string) => formatDateTime(locale, moment, 'short')
  return {
    id,
    what: changeText[change][locale],
    number: (of === 'seal' ? { pl: 'pieczęć', en: 'seal' } : { pl: 'podpis', en: 'signature' })[locale],
    look: requestLook[state],
    detail: decidedAt
      ? at(decidedAt)
      : {
          pl: `zlecone ${at(requestedAt)}, termin ${at(deadline)}`,
          en: `requested on ${at(requestedAt)}, due on ${at(deadline)}`,
        }[locale],
  }
}

function certificateRow(locale: Locale, certificate: Item<'certificates'>): ProductRow {
  const { id, product, serial, validTo, isPaired } = certificate
  const pairing = isPaired ? { pl: 'aplikacja połączona', en: 'app connected' } : { pl: 'bez aplikacji', en: 'no app' }
  return {
    id,
    what: signatureProductText[product][locale],
    number: serial,
    look: certificateLook(certificate),
    detail: [validUntilText(locale, validTo), ...(product === 'app' ? [pairing[locale]] : [])].join(' · '),
    move: 'certificate',
  }
}

const sealRow = (locale: Locale, seal: Item<'seals'>): ProductRow => ({
  id: seal.id,
  what: sealName(locale, seal),
  number: seal.serial,
  look: certificateLook(seal),
  detail: validUntilText(locale, seal.validTo),
  move: 'seal',
})

const timestampRow = (locale: Locale, { id, filed, login, isActive, packages }: Item<'timestamps'>): ProductRow => ({
  id,
  what: login,
  number: filed,
  look: isActive ? activeLook : inactiveLook,
  detail: { pl: `aktywne pakiety: ${packages}`, en: `active packages: ${packages}` }[locale],
})
