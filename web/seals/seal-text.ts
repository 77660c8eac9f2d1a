import type { Text, SealUserRole } from '../../contract/enums.ts'
import type { Seal } from '../../contract/seals.ts'

export const roleText: Record<SealUserRole, Text> = {
  administrator: { pl: 'Administrator', en: 'Administrator' },
  user: { pl: 'Użytkownik', en: 'User' },
}

/** What each role may do, as it is chosen (ux 8.3). */
export const roleHint: Record<SealUserRole, Text> = {
  administrator: {
    pl: 'Używa pieczęci, dodaje i\u00a0usuwa użytkowników. Nie widzi, jakie dokumenty podpisują inni.',
    en: 'Uses the seal, adds and removes users. Can’t see which documents others sign.',
  },
  user: {
    pl: 'Używa pieczęci swoim loginem. Nie widzi innych użytkowników.',
    en: 'Uses the seal with their own username. Can’t see other users.',
  },
}

/** Why a seal is not active, and what to do now. */
export const sealReasonText: Record<NonNullable<Seal['reason']>, { word: Text; advice: Text }> = {
  'not-yet-valid': {
    word: { pl: 'Jeszcze nieważna', en: 'Not valid yet' },
    advice: {
      pl: 'Zacznie działać w\u00a0podanym terminie. Wtedy połączysz też aplikację.',
      en: 'It starts working on the date shown. You can connect the app then, too.',
    },
  },
  expired: {
    word: { pl: 'Wygasła', en: 'Expired' },
    advice: {
      pl: 'Dokumenty opatrzone nią wcześniej są nadal ważne. Nową pieczęć kupisz w\u00a0sklepie.',
      en: 'Documents you sealed before are still valid. You can buy a new seal in the shop.',
    },
  },
  suspended: {
    word: { pl: 'Zawieszona', en: 'Suspended' },
    advice: {
      pl: 'Nie używaj jej teraz: takie pieczęcie są nieważne. Aby cofnąć zawieszenie, zadzwoń do nas.',
      en: 'Don’t use it now: seals made with it aren’t valid. To lift the suspension, call us.',
    },
  },
  revoked: {
    word: { pl: 'Unieważniona', en: 'Revoked' },
    advice: {
      pl: 'Unieważnionej pieczęci nie można przywrócić. Dokumenty opatrzone nią wcześniej są nadal ważne.',
      en: 'A revoked seal can’t be restored. Documents you sealed before are still valid.',
    },
  },
}
