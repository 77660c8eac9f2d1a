import { Brand } from '../art/brand-mark.tsx'
import { Link } from '../ui/link.tsx'
import { LanguageSwitch } from './language-switch.tsx'

/** The head of a layout without the menu: the portal's name and the languages. */
export function BrandBar({ className, home }: { className: string; home: string }) {
  return (
    <header className={className}>
      <Link className="brand" to={home}>
        <Brand />
      </Link>
      <div className="topbar__end">
        <LanguageSwitch />
      </div>
    </header>
  )
}
