import type { Text } from '../../contract/enums.ts'
import type { Seal, SealUserRole } from '../../contract/seals.ts'
import { useText } from '../app/locale.tsx'
import { ownerOf, sealProductText } from '../text/product-text.ts'
import { Verbatim } from '../ui/verbatim.tsx'

/** Shows the product and the owner of a seal, below the title of a dialog. */
export function SealDescription({ seal }: { seal: Seal }) {
  const t = useText()
  return (
    <>
      {t(sealProductText[seal.product])}: <Verbatim>{ownerOf(seal)}</Verbatim>
    </>
  )
}

/** Shows a seal in the words of `sealText`. */
export function SealName({ seal }: { seal: Seal }) {
  const t = useText()
  return (
    <>
      <Verbatim>{ownerOf(seal)}</Verbatim>, {t(sealProductText[seal.product])}
    </>
  )
}

export const sealRoleText: Record<SealUserRole, Text> = {
  admin: { pl: 'Administrator', en: 'Administrator' },
  user: { pl: 'Użytkownik', en: 'User' },
}

/** Permissions of each role, shown where the role is chosen. */
export const roleHint: Record<SealUserRole, Text> = {
  admin: {
    pl: 'Używa pieczęci, dodaje i\u00a0usuwa użytkowników. Nie widzi, jakie dokumenty inni opatrują pieczęcią.',
    en: 'Uses the seal, adds and removes users. Can’t see which documents others seal.',
  },
  user: {
    pl: 'Używa pieczęci swoim loginem. Nie widzi innych użytkowników.',
    en: 'Uses the seal with their own username. Can’t see other users.',
  },
}

/** The states of a seal, as its badge names them. */
export const sealStateText = {
  active: { pl: 'Aktywna', en: 'Active' },
  expired: { pl: 'Wygasła', en: 'Expired' },
  suspended: { pl: 'Zawieszona', en: 'Suspended' },
  revoked: { pl: 'Unieważniona', en: 'Revoked' },
}

export const sealAdviceText = {
  expired: {
    pl: 'Dokumenty opatrzone nią wcześniej są nadal ważne. Nową pieczęć kupisz w\u00a0sklepie.',
    en: 'Documents you sealed before are still valid. You can buy a new seal in the shop.',
  },
  suspended: {
    pl: 'Nie używaj jej teraz: pieczęć złożona podczas zawieszenia jest nieważna.',
    en: 'Don’t use it now: seals made with it aren’t valid.',
  },
  revoked: {
    pl: 'Unieważnionej pieczęci nie można przywrócić. Dokumenty opatrzone nią wcześniej są nadal ważne.',
    en: 'A revoked seal can’t be restored. Documents you sealed before are still valid.',
  },
}
