import type { Locale } from '../../contract/enums.ts'
import { pages } from '../../contract/pages.ts'
import type { Seal, SealInvitation } from '../../contract/seals.ts'
import { config } from '../config.ts'
import { endingOf, moment, overOf, seeDetails } from './end-words.tsx'
import { ranks, type Matter } from './matter.ts'
import { callUs } from './signature-matter.tsx'

/** A seal that is suspended, has expired of late, or ends soon. */
export function sealMatter(seal: Seal, locale: Locale, now: string): Matter {
  const { id, reason, validTo } = seal
  const same = {
    id,
    family: 'seal' as const,
    title: { pl: 'Pieczęć kwalifikowana', en: 'Qualified seal' }[locale],
    whose: seal.organisation.name,
    more: { label: seeDetails, to: pages.seals.path },
  }
  const buy = { label: { pl: 'Kup pieczęć', en: 'Buy a seal' }, href: config.brand.links.seal }
  const until = (
    <>
      {{ pl: 'Ważna do ', en: 'Valid until ' }[locale]}
      {moment(locale, validTo)}
    </>
  )
  if (reason === 'suspended')
    return {
      ...same,
      rank: ranks.over,
      end: validTo,
      badge: { kind: 'err', icon: 'alert', words: { pl: 'Zawieszona', en: 'Suspended' }[locale] },
      detail: (
        <>
          {until}
          {
            {
              pl: ', ale teraz jej nie używaj: takie pieczęcie są nieważne. Zadzwoń do nas, żeby cofnąć zawieszenie.',
              en: ', but do not use it now: such seals are not valid. Call us to lift the suspension.',
            }[locale]
          }
        </>
      ),
      step: callUs(),
    }
  if (reason === 'expired')
    return {
      ...same,
      ...overOf(seal, locale, now, { pl: 'Wygasła', en: 'Expired' }[locale]),
      detail: (
        <>
          {{ pl: 'Była ważna do ', en: 'It was valid until ' }[locale]}
          {moment(locale, validTo)}
          {
            {
              pl: '. Nie opieczętujesz nią już dokumentu: trzeba kupić nową.',
              en: '. No document can be sealed with it any more: you have to buy a new one.',
            }[locale]
          }
        </>
      ),
      step: buy,
    }
  return {
    ...same,
    ...endingOf(seal, locale, now),
    detail: (
      <>
        {until}
        {
          {
            pl: '. Zamów nową wcześniej, żeby nie było przerwy.',
            en: '. Order a new one before, so that there is no gap.',
          }[locale]
        }
      </>
    ),
    step: buy,
  }
}

export function invitationMatter({ id, organisation, expiresAt }: SealInvitation, locale: Locale): Matter {
  return {
    id,
    rank: ranks.access,
    end: expiresAt,
    badge: { kind: 'warn', icon: 'hour', words: { pl: 'Oczekuje na aktywację', en: 'Awaiting activation' }[locale] },
    title: { pl: 'Dostęp do pieczęci', en: 'Access to a seal' }[locale],
    whose: organisation,
    family: 'seal',
    detail: (
      <>
        {{ pl: 'Zaproszenie działa do ', en: 'The invitation works until ' }[locale]}
        {moment(locale, expiresAt)}
        {
          {
            pl: '. Aktywuj dostęp wcześniej, bo potem potrzebne będzie nowe zaproszenie.',
            en: '. Activate the access before: after that a new invitation is needed.',
          }[locale]
        }
      </>
    ),
    step: { label: { pl: 'Przejdź do aktywacji', en: 'Go to the activation' }, to: pages.seals.path },
  }
}
