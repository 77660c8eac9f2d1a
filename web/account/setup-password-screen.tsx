import { useEffect, useLayoutEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Reply } from '../../contract/endpoint.ts'
import { confirmPhonePath, inLocale, loginPath, pages } from '../../contract/pages.ts'
import { checkPasswordLink } from '../../contract/password-link.ts'
import { call, CallFailed } from '../api.ts'
import { config } from '../config.ts'
import { useLocale, useText } from '../locale.tsx'
import { focusHeading, usePage } from '../page-title.ts'
import { useParams } from '../route.ts'
import { dropSession } from '../session.tsx'
import { formatDateTime } from '../text/format.ts'
import { Skeleton } from '../ui/skeleton.tsx'
import { LinkFailed } from './dead-link.tsx'
import { NewPasswordForm } from './new-password-form.tsx'
import { forgetToken, keepToken, keptToken, takenToken } from './password-token.ts'
import { SetUpSummaries } from './set-up-summaries.tsx'
import './set-up.css'

type Link = Reply<typeof checkPasswordLink>

/** PWD-2 and the last step of PWD-1: the page that the link of a mail opens, for a first password and for a forgotten one. */
export function SetupPasswordScreen() {
  const locale = useLocale()
  const navigate = useNavigate()
  const { token = '' } = useParams()
  const [link, setLink] = useState<Link>()
  const [failed, setFailed] = useState<CallFailed>()
  const [round, setRound] = useState(0)

  // Before anything else on the page can carry the address further (R10).
  useLayoutEffect(() => {
    if (token === takenToken) return
    keepToken(token)
    void navigate(`/setup-password/${takenToken}`, { replace: true })
  }, [token, navigate])

  useEffect(() => {
    const kept = keptToken()
    if (!kept) return setFailed(new CallFailed('link-unknown'))
    let left = false
    call(checkPasswordLink, { body: { token: kept } }).then(
      (found) => left || setLink(found),
      (error: unknown) => left || setFailed(asLinkFailure(error)),
    )
    return () => {
      left = true
    }
  }, [round])

  function retry() {
    setFailed(undefined)
    setRound(round + 1)
  }

  function finish() {
    forgetToken()
    // Whoever was signed in here no longer is, and a new page holds nothing of it (R9).
    dropSession('password-set')
    // Whoever was invited to a seal goes on to it (SEA-4).
    const back = link?.invited?.seals.length ? inLocale(locale, pages.seals.path) : undefined
    location.replace(
      link?.confirmsPhone ? confirmPhonePath(locale, back) : loginPath(locale, { reason: 'password-set', back }),
    )
  }

  if (failed) return <LinkFailed failed={failed} token={keptToken()} retry={retry} />
  if (!link) return <Checking />
  const form = <NewPasswordForm login={link.login} token={keptToken()!} onDone={finish} onLinkFailed={setFailed} />
  return link.invited ? (
    <Welcome link={link} invited={link.invited}>
      {form}
    </Welcome>
  ) : (
    <Reset link={link}>{form}</Reset>
  )
}

/** A token that does not even look like one was cut off on its way: for the customer that is a link that does not work. */
function asLinkFailure(error: unknown) {
  if (!(error instanceof CallFailed)) throw error
  return error.code === 'invalid-input' ? new CallFailed('link-unknown') : error
}

const title = { pl: 'Ustaw hasło', en: 'Set up password' }

function Checking() {
  const t = useText()
  usePage({ title })
  return (
    <div className="auth__box setup" aria-busy="true">
      <h1>{t(title)}</h1>
      <p className="lede" role="status">
        {t({ pl: 'Sprawdzamy link…', en: 'Checking the link…' })}
      </p>
      <Skeleton lines={6} />
    </div>
  )
}

/** A customer may see here what the portal knows of them before they set their first password; no name goes into the title (R86). */
function Welcome({
  link: { login, expiresAt, confirmsPhone },
  invited,
  children,
}: {
  link: Link
  invited: NonNullable<Link['invited']>
  children: React.ReactNode
}) {
  const t = useText()
  const locale = useLocale()
  usePage({ title })
  useEffect(focusHeading, [])
  return (
    <div className="auth__box setup">
      <h1>
        {t({ pl: 'Dzień dobry', en: 'Hello' })}
        <span className="setup__name">
          {invited.firstName} {invited.surname}
        </span>
      </h1>
      <p className="lede">
        {t({
          pl: `Sprawdź swoje dane i\u00a0ustaw hasło do konta w\u00a0portalu ${config.brand.product}. `,
          en: `Check your data and set a password for your account in the ${config.brand.product} portal. `,
        })}
        {confirmsPhone &&
          t({ pl: 'Potem potwierdzisz numer telefonu. ', en: 'You will confirm your phone number after that. ' })}
        <ValidUntil expiresAt={expiresAt} locale={locale} />
      </p>
      <SetUpSummaries login={login} invited={invited} />
      <h2>{t({ pl: 'Ustaw hasło', en: 'Set password' })}</h2>
      {children}
    </div>
  )
}

const resetTitle = { pl: 'Ustaw nowe hasło', en: 'Set a new password' }

function Reset({ link: { login, expiresAt }, children }: { link: Link; children: React.ReactNode }) {
  const t = useText()
  const locale = useLocale()
  usePage({ title: resetTitle })
  useEffect(focusHeading, [])
  return (
    <div className="auth__box">
      <h1>{t(resetTitle)}</h1>
      <p className="lede">
        {t({ pl: 'Konto: ', en: 'Account: ' })}
        <b className="mono wrap">{login}</b>
        {'. '}
        <ValidUntil expiresAt={expiresAt} locale={locale} />
      </p>
      {children}
    </div>
  )
}

function ValidUntil({ expiresAt, locale }: { expiresAt: string; locale: 'pl' | 'en' }) {
  const t = useText()
  return (
    <>
      {t({ pl: 'Link działa do ', en: 'The link works until ' })}
      <time dateTime={expiresAt}>{formatDateTime(locale, expiresAt)}</time>.
    </>
  )
}
