import type { Locale } from '../../contract/enums.ts'
import { pages } from '../../contract/pages.ts'
import type { Seal, SealInvitation } from '../../contract/seals.ts'
import { isBeingStopped } from '../../contract/signatures-and-seals.ts'
import { config } from '../app/config.ts'
import { certificateLooks } from '../certificates/certificate-looks.ts'
import { ownerOf, sealProductText } from '../text/product-text.ts'
import { expiringSoon, recentlyExpired, seeDetails, withMoment } from './expiry-text.tsx'
import { ranks, type HomeNotice } from './home-notice.ts'
import { afterSuspension, statusChangeDue, endsSuspension } from './signature-notice.tsx'

/** Returns the notice of a seal that is suspended, has recently expired, or ends soon. */
export function sealNotice(seal: Seal, locale: Locale, now: string): HomeNotice {
  const { id, reason, validTo } = seal
  const same = {
    id,
    family: 'seal' as const,
    title: sealProductText[seal.product][locale],
    whose: ownerOf(seal),
    more: { label: seeDetails, to: pages.seals.path },
  }
  const buy = { label: { pl: 'Kup pieczęć', en: 'Buy a seal' }, href: config.brand.links.seal }
  const until = { pl: 'Ważna do ', en: 'Valid until ' }
  if (seal.request && isBeingStopped(seal))
    return { ...same, ...statusChangeDue(seal.request, locale, pages.seals.path) }
  if (reason === 'suspended')
    return {
      ...same,
      rank: ranks.stopped,
      end: validTo,
      badge: { ...certificateLooks.suspended, text: { pl: 'Zawieszona', en: 'Suspended' }[locale] },
      detail: withMoment(locale, until, validTo, {
        pl: `, ale teraz jej nie używaj: pieczęć złożona podczas zawieszenia jest nieważna. ${endsSuspension(seal.changes).pl}`,
        en: `, but don’t use it now: seals made with it aren’t valid. ${endsSuspension(seal.changes).en}`,
      }),
      step: afterSuspension(seal.changes, pages.seals.path),
    }
  if (reason === 'expired')
    return {
      ...same,
      ...recentlyExpired(seal, locale, now, { pl: 'Wygasła', en: 'Expired' }[locale]),
      detail: withMoment(locale, { pl: 'Wygasła ', en: 'Expired on ' }, validTo, {
        pl: '. Nie opatrzysz nią już dokumentu. Trzeba kupić nową.',
        en: '. You can’t seal documents with it any more. You’ll need to buy a new one.',
      }),
      step: buy,
    }
  return {
    ...same,
    ...expiringSoon(seal, locale, now),
    detail: withMoment(locale, until, validTo, {
      pl: '. Zamów nową wcześniej, aby uniknąć przerwy.',
      en: '. Order a new one before then to avoid a gap.',
    }),
    step: buy,
  }
}

export function invitationNotice({ id, organisation, expiresAt }: SealInvitation, locale: Locale): HomeNotice {
  return {
    id,
    rank: ranks.endsSoon,
    end: expiresAt,
    badge: {
      kind: 'warning',
      icon: 'hourglass',
      text: { pl: 'Oczekuje na aktywację', en: 'Awaiting activation' }[locale],
    },
    title: { pl: 'Dostęp do pieczęci', en: 'Access to a seal' }[locale],
    whose: organisation,
    family: 'seal',
    detail: withMoment(locale, { pl: 'Zaproszenie jest ważne do ', en: 'The invitation is valid until ' }, expiresAt, {
      pl: '. Aktywuj dostęp wcześniej: potem trzeba będzie poprosić o\u00a0nowe zaproszenie.',
      en: '. Activate your access before then, or you’ll need a new invitation.',
    }),
    step: { label: { pl: 'Przejdź do aktywacji', en: 'Go to activation' }, to: pages.seals.path },
  }
}
