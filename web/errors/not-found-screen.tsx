import { useText } from '../app/locale.tsx'
import { usePage } from '../app/page-title.ts'
import { StatusNumerals } from '../art/status-numerals.tsx'
import { ErrorFrame, homeOf } from './error-frame.tsx'

export const notFoundTitle = { pl: 'Strona nie została znaleziona', en: 'Page Not Found' }

/** Shows the 404 screen (ERR-1). */
export function NotFoundScreen() {
  const t = useText()
  return (
    <ErrorFrame>
      <StatusNumerals status="404" />
      <h1>{t(notFoundTitle)}</h1>
      <p className="lede">
        {t({
          pl: 'Przepraszamy, ale strona której szukasz nie istnieje lub została przeniesiona.',
          en: 'Sorry, the page you’re looking for doesn’t exist or has been moved.',
        })}
      </p>
      <a className="button button--primary" href={homeOf(t.locale)}>
        {t({ pl: 'Powrót do strony głównej', en: 'Back to the home page' })}
      </a>
    </ErrorFrame>
  )
}

/** Shows the 404 screen after a link inside the portal led nowhere. */
export function NotFound() {
  usePage({ title: notFoundTitle })
  return <NotFoundScreen />
}
