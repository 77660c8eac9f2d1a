import { keysOf } from '../../contract/enums.ts'
import { pages } from '../../contract/pages.ts'
import { config, isOff } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { SupportPhone } from '../app/support-line.tsx'
import { Link } from '../ui/link.tsx'

export const legalTitles = {
  terms: { pl: 'Regulamin', en: 'Terms' },
  privacy: { pl: 'Prywatność', en: 'Privacy' },
  accessibility: { pl: 'Deklaracja dostępności', en: 'Accessibility statement' },
}

/** Shows the legal links, which are on every screen, signed in or not. */
export function LegalLinks() {
  const t = useText()
  return keysOf(legalTitles).map((page) => (
    <Link key={page} to={pages[page].path}>
      {t(legalTitles[page])}
    </Link>
  ))
}

/** Shows the link to the check of signed files (CHK-2), which needs no account. */
export function CheckLink() {
  const t = useText()
  if (isOff('check')) return null
  return <Link to={pages.check.path}>{t({ pl: 'Sprawdź podpisany plik', en: 'Check a signed file' })}</Link>
}

export function PageFooter() {
  const t = useText()
  return (
    <footer className="foot">
      <CheckLink />
      <LegalLinks />
      <a href={`mailto:${config.brand.email}`}>{t({ pl: 'Kontakt', en: 'Contact' })}</a>
      <SupportPhone />
    </footer>
  )
}

export function SkipLink() {
  const t = useText()
  return (
    <a className="skip" href="#content">
      {t({ pl: 'Przejdź do treści', en: 'Skip to content' })}
    </a>
  )
}
