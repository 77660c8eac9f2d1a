import { pages } from '../../contract/pages.ts'
import { isOff } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { TextLink } from '../ui/button.tsx'

/** Leads to what can be done without the phone that a sign-in needs (STP-7). */
export function LostPhoneLine() {
  const t = useText()
  if (isOff('lostPhone')) return null
  return (
    <p>
      {t({ pl: 'Telefon zginął? ', en: 'Lost your phone? ' })}
      <TextLink to={pages.lostPhone.path}>{t({ pl: 'Zawieś certyfikaty', en: 'Suspend your certificates' })}</TextLink>
    </p>
  )
}
