import { useText } from '../app/locale.tsx'
import { useCurrentSession } from '../app/session.tsx'
import { Icon } from '../art/icons.tsx'
import { Link } from '../ui/link.tsx'
import './back-to-sign-in.css'

/** Shows visitors a link back to sign-in, because they have no menu. */
export function BackToSignIn() {
  const t = useText()
  if (useCurrentSession()) return null
  return (
    <p className="back-link">
      <Link className="link" to="/">
        <Icon name="back" />
        {t({ pl: 'Wróć do logowania', en: 'Back to sign-in' })}
      </Link>
    </p>
  )
}
