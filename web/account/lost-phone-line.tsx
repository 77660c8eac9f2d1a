import { pages } from '../../contract/pages.ts'
import { isOff } from '../config.ts'
import { useText } from '../locale.tsx'
import { TextLink } from '../ui/button.tsx'

/** Leads to what can be done without the phone that a sign-in needs (STP-7). */
export function LostPhoneLine() {
  const t = useText()
  return (
    <p>
      {t({ pl: 'Telefon zginął? ', en: 'Lost your phone? ' })}
      <TextLink to={pages.lostPhone.path}>{t({ pl: 'Zawieś certyfikaty', en: 'Suspend your certificates' })}</TextLink>
    </p>
  )
}

/** The same in a dialog, which is not prerendered, so it can know whether there is such a page. */
export const LostPhoneHelp = () => (isOff('lostPhone') ? null : <LostPhoneLine />)
