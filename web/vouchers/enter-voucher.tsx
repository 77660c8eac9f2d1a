import { pages } from '../../contract/pages.ts'
import { useText } from '../app/locale.tsx'
import { ButtonLink } from '../ui/button.tsx'

/** Leads to the voucher box of the home page. */
export function EnterVoucher() {
  const t = useText()
  return <ButtonLink to={pages.home.path}>{t({ pl: 'Wpisz kod voucher', en: 'Enter a voucher code' })}</ButtonLink>
}
