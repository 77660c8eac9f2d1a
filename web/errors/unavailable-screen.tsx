import { pages } from '../../contract/pages.ts'
import { useText } from '../app/locale.tsx'
import { Heading } from '../app/page-head.tsx'
import { usePage } from '../app/page-title.ts'
import { faqTitle, SupportLine } from '../app/support-line.tsx'
import { Medallion } from '../art/medallion.tsx'
import { failureText } from '../text/failure-text.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { ErrorFrame, homeOf } from './error-frame.tsx'

const why = {
  pl: 'Ta część portalu teraz nie działa. Twoje certyfikaty działają jak zawsze.',
  en: 'This part of the portal isn’t working right now. Your certificates work as usual.',
}
const back = { pl: 'Wróć do strony Start', en: 'Back to Home' }

/** Shows, inside the menu, that a page is switched off (ERR-5). */
export function UnavailableScreen() {
  const t = useText()
  usePage({ title: failureText.unavailable })
  return (
    <div className="denied">
      <Medallion family="signature" size={104} isOff />
      <Heading title={failureText.unavailable} lede={why} />
      <ButtonLink variant="primary" to="/home">
        {t(back)}
      </ButtonLink>
      <p className="soft">
        {t({ pl: 'Potrzebujesz pomocy? ', en: 'Need help? ' })}
        <SupportLine />
      </p>
      <Link to={pages.faq.path}>{t(faqTitle)}</Link>
    </div>
  )
}

/** Shows visitors that a page is switched off, at the address of a page for everyone. */
export function StaticUnavailableScreen() {
  const t = useText()
  return (
    <ErrorFrame>
      <h1>{t(failureText.unavailable)}</h1>
      <p className="lede">{t(why)}</p>
      <a className="button button--primary" href={homeOf(t.locale)}>
        {t(back)}
      </a>
    </ErrorFrame>
  )
}
