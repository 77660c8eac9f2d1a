import { useEffect, useRef, useState, type ReactNode } from 'react'
import { config } from '../config.ts'
import { useLocale, useText } from '../locale.tsx'
import { formatDateTime } from '../text/format.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { ErrorFrame, homeOf } from './error-frame.tsx'

export const errorTitle = { pl: 'Ups! Coś poszło nie tak', en: 'Oops! Something went wrong' }

type Props = {
  /** 500 unless an answer said otherwise. */
  status?: ReactNode
  message?: string | undefined
  /** Names the incident in the log of the server, for the support. */
  incident?: string | undefined
}

/** Any fatal error but 404 (ERR-2). */
export function ErrorScreen({ status = 500, message, incident }: Props) {
  const t = useText()
  const locale = useLocale()
  const heading = useRef<HTMLHeadingElement>(null)
  const [time] = useState(() => formatDateTime(locale, Date.now()))
  useEffect(() => {
    document.title = `${t(errorTitle)} – ${config.brand.product}`
    heading.current!.focus()
    // eslint-disable-next-line react/exhaustive-deps -- once, when the screen comes
  }, [])
  const reference = [incident, time].filter(Boolean).join(', ')
  return (
    <ErrorFrame>
      <p className="err__code">{status}</p>
      <h1 ref={heading} tabIndex={-1}>
        {t(errorTitle)}
      </h1>
      <p className="lede">{message ?? t(defaultMessage)}</p>
      <div className="btns">
        <a className="btn btn--primary" href={homeOf(locale)}>
          {t(homeWords)}
        </a>
        <button type="button" className="btn btn--secondary" onClick={() => location.reload()}>
          {t({ pl: 'Spróbuj ponownie', en: 'Try again' })}
        </button>
      </div>
      <div className="err__ref">
        <span>{reference}</span>
        <CopyButton text={reference} label={t({ pl: 'Skopiuj do zgłoszenia', en: 'Copy for a report' })} />
      </div>
    </ErrorFrame>
  )
}

const homeWords = { pl: 'Wróć do strony głównej', en: 'Back to the home page' }
const defaultMessage = { pl: 'Przepraszamy, wystąpił nieoczekiwany błąd.', en: 'Sorry, an unexpected error occurred.' }

/** The same screen as the server sends it with a failed page: it has no script, so trying again is a link. */
export function StaticErrorScreen({ status, incident }: { status: string; incident: string }) {
  const t = useText()
  const locale = useLocale()
  return (
    <ErrorFrame>
      <p className="err__code">{status}</p>
      <h1>{t(errorTitle)}</h1>
      <p className="lede">{t(defaultMessage)}</p>
      <div className="btns">
        <a className="btn btn--primary" href={homeOf(locale)}>
          {t(homeWords)}
        </a>
        {/* eslint-disable-next-line jsx-a11y/anchor-is-valid -- the empty address is this very page, with its query */}
        <a className="btn btn--secondary" href="">
          {t({ pl: 'Spróbuj ponownie', en: 'Try again' })}
        </a>
      </div>
      <p className="err__ref">{incident}</p>
    </ErrorFrame>
  )
}
