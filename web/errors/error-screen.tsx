import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import { config } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { StatusNumerals } from '../art/status-numerals.tsx'
import { formatDateTime } from '../text/format.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { ErrorFrame, homeOf } from './error-frame.tsx'

/** Names the document after an error, and takes the focus. */
export function ErrorHeading({ title }: { title: Text }) {
  const t = useText()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${t(title)} – ${config.brand.product}`
    heading.current?.focus()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once, when the screen comes
  }, [])
  return (
    <h1 className="fatal" ref={heading} tabIndex={-1}>
      {t(title)}
    </h1>
  )
}

export const errorTitle = { pl: 'Ups! Coś poszło nie tak', en: 'Oops! Something went wrong' }

type Props = {
  /** 500 by default. */
  status?: string
  message?: ReactNode
  /** The incident's id in the server's log, for the support. */
  incident?: string | undefined
}

/** Shows any fatal error except 404 (ERR-2). */
export function ErrorScreen({ status = '500', message, incident }: Props) {
  const t = useText()
  const [time] = useState(() => formatDateTime(t.locale, Date.now()))
  const reference = [incident, time].filter(Boolean).join(', ')
  return (
    <ErrorFrame>
      <StatusNumerals status={status} />
      <ErrorHeading title={errorTitle} />
      <p className="lede">{message ?? t(defaultMessage)}</p>
      <div className="buttons">
        <button type="button" className="button button--primary" onClick={() => location.reload()}>
          {t({ pl: 'Spróbuj ponownie', en: 'Try again' })}
        </button>
        <a className="button button--secondary" href={homeOf(t.locale)}>
          {t(homeText)}
        </a>
      </div>
      <div className="error-page__reference">
        <span>{reference}</span>
        <CopyButton text={reference} label={t({ pl: 'Skopiuj do zgłoszenia', en: 'Copy for support' })} />
      </div>
    </ErrorFrame>
  )
}

const homeText = { pl: 'Wróć do strony głównej', en: 'Back to the home page' }
const defaultMessage = { pl: 'Przepraszamy, wystąpił nieoczekiwany błąd.', en: 'Sorry, an unexpected error occurred.' }

/** Shows the error screen that the server sends with a failed page; it has no script, so trying again is a link. */
export function StaticErrorScreen({ status, incident }: { status: string; incident: string }) {
  const t = useText()
  return (
    <ErrorFrame>
      <StatusNumerals status={status} />
      <h1>{t(errorTitle)}</h1>
      <p className="lede">{t(defaultMessage)}</p>
      <div className="buttons">
        {/* eslint-disable-next-line jsx-a11y/anchor-is-valid -- the empty address is this very page, with its query */}
        <a className="button button--primary" href="">
          {t({ pl: 'Spróbuj ponownie', en: 'Try again' })}
        </a>
        <a className="button button--secondary" href={homeOf(t.locale)}>
          {t(homeText)}
        </a>
      </div>
      <p className="error-page__reference">{incident}</p>
    </ErrorFrame>
  )
}
