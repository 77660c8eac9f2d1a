import { config } from '../config.ts'
import { useText } from '../locale.tsx'
import { Link } from '../ui/link.tsx'

/** The links that stand on every screen, signed in or not. */
export function LegalLinks() {
  const t = useText()
  return (
    <>
      <Link to="/terms">{t({ pl: 'Regulamin', en: 'Terms' })}</Link>
      <Link to="/privacy">{t({ pl: 'Prywatność', en: 'Privacy' })}</Link>
      <Link to="/accessibility">{t({ pl: 'Deklaracja dostępności', en: 'Accessibility statement' })}</Link>
    </>
  )
}

export function PageFooter() {
  const t = useText()
  return (
    <footer className="foot">
      <LegalLinks />
      <a href={`mailto:${config.brand.email}`}>{t({ pl: 'Kontakt', en: 'Contact' })}</a>
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
