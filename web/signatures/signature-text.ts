import type { Text } from '../../contract/enums.ts'
import type { Signature } from '../../contract/signatures.ts'
import { formatDate } from '../text/format.ts'
import { productText } from '../text/product-text.ts'

/** Distinguishes actions of the same name for screen readers: „Pobierz umowę (Podpis na karcie, Kancelaria Źródło, do 24.12.2028)”. */
export const whichText = ({ product, organisation, name, validTo }: Signature): Text => {
  const whose = organisation ?? name
  return {
    pl: ` (${productText[product].pl}, ${whose}, do\u00a0${formatDate('pl', validTo, 'short')})`,
    en: ` (${productText[product].en}, ${whose}, until ${formatDate('en', validTo, 'short')})`,
  }
}

/** Why a signature is not active, and what to do now. */
export const reasonText: Record<NonNullable<Signature['reason']>, { word: Text; advice: Text }> = {
  'not-yet-valid': {
    word: { pl: 'Jeszcze nieważny', en: 'Not valid yet' },
    advice: {
      pl: 'Zacznie działać w\u00a0podanym terminie. Wtedy połączysz też aplikację.',
      en: 'It starts working on the date shown. You can connect the app then, too.',
    },
  },
  expired: {
    word: { pl: 'Wygasł', en: 'Expired' },
    advice: {
      pl: 'Wygasłego podpisu nie można odnowić. Dokumenty podpisane wcześniej są nadal ważne.',
      en: 'You can’t renew an expired signature. Documents you signed before are still valid.',
    },
  },
  suspended: {
    word: { pl: 'Zawieszony', en: 'Suspended' },
    advice: {
      pl: 'Nie podpisuj nim teraz dokumentów: takie podpisy są nieważne. Aby cofnąć zawieszenie, zadzwoń do nas.',
      en: 'Don’t sign with it now: such signatures aren’t valid. To lift the suspension, call us.',
    },
  },
  revoked: {
    word: { pl: 'Unieważniony', en: 'Revoked' },
    advice: {
      pl: 'Unieważnionego podpisu nie można przywrócić ani odnowić. Dokumenty podpisane wcześniej są nadal ważne.',
      en: 'A revoked signature can’t be restored or renewed. Documents you signed before are still valid.',
    },
  },
}
