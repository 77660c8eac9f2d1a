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

/** The states of a signature, as its badge names them. */
export const stateText = {
  active: { pl: 'Aktywny', en: 'Active' },
  expired: { pl: 'Wygasł', en: 'Expired' },
  suspended: { pl: 'Zawieszony', en: 'Suspended' },
  revoked: { pl: 'Unieważniony', en: 'Revoked' },
}

/** What to do now about a signature that is not active. */
export const adviceText = {
  expired: {
    pl: 'Wygasłego podpisu nie można odnowić. Dokumenty podpisane wcześniej są nadal ważne.',
    en: 'You can’t renew an expired signature. Documents you signed before are still valid.',
  },
  suspended: {
    pl: 'Nie podpisuj nim teraz dokumentów: takie podpisy są nieważne.',
    en: 'Don’t sign with it now: signatures made with it aren’t valid.',
  },
  revoked: {
    pl: 'Unieważnionego podpisu nie można przywrócić ani odnowić. Dokumenty podpisane wcześniej są nadal ważne.',
    en: 'A revoked signature can’t be restored or renewed. Documents you signed before are still valid.',
  },
}
