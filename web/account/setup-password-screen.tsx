import { useEffect, useLayoutEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { checkPasswordLink } from '../../contract/account.ts'
import { loginPath } from '../../contract/pages.ts'
import type { Reply } from '../../contract/endpoint.ts'
import { call, CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { usePage } from '../page-title.ts'
import { useParams } from '../route.ts'
import { dropSession } from '../session.tsx'
import { describeFailure } from '../text/failure-text.ts'
import { Button, ButtonLink, TextLink } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { forgetToken, keepToken, keptToken, takenToken } from './password-token.ts'
import { NewPasswordForm } from './new-password-form.tsx'

/** PWD-2 and the last step of PWD-1: the page that the link of a mail opens, for a first password and for a forgotten one. */
export function SetupPasswordScreen() {
  const t = useText()
  const locale = useLocale()
  const navigate = useNavigate()
  const { token = '' } = useParams()
  const [link, setLink] = useState<Reply<typeof checkPasswordLink>>()
  const [failed, setFailed] = useState<CallFailed>()
  const [round, setRound] = useState(0)
  usePage({ title: { pl: 'Ustaw hasło', en: 'Set up password' } })

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
    location.replace(loginPath(locale, { reason: 'password-set' }))
  }

  if (failed) return <LinkFailed failed={failed} retry={retry} />
  if (link) return <NewPasswordForm link={link} token={keptToken()!} onDone={finish} onLinkFailed={setFailed} />
  return (
    <div className="auth__box" aria-busy="true">
      <h1>{t({ pl: 'Ustaw hasło', en: 'Set up password' })}</h1>
      <p className="lede" role="status">
        {t({ pl: 'Sprawdzamy link…', en: 'Checking the link…' })}
      </p>
      <Skeleton lines={4} />
    </div>
  )
}

/** A token that does not even look like one was cut off on its way: for the customer that is a link that does not work. */
function asLinkFailure(error: unknown) {
  if (!(error instanceof CallFailed)) throw error
  return error.code === 'invalid-input' ? new CallFailed('link-unknown') : error
}

const deadLinks = {
  'link-unknown': {
    title: { pl: 'Ten link nie działa', en: 'This link does not work' },
    text: {
      pl: 'Adres mógł się uciąć przy kopiowaniu. Otwórz link prosto z\u00a0najnowszej wiadomości albo poproś o\u00a0nowy.',
      en: 'The address may have been cut off when it was copied. Open the link straight from the newest message, or ask for a new one.',
    },
  },
  'link-expired': {
    title: { pl: 'Ten link stracił ważność', en: 'This link has expired' },
    text: {
      pl: 'Minął jego czas albo wysłaliśmy już nowszy. Sprawdź najnowszą wiadomość albo poproś o\u00a0nowy link.',
      en: 'Its time is over, or we have already sent a newer one. Check the newest message or ask for a new link.',
    },
  },
  'link-used': {
    title: { pl: 'Ten link został już użyty', en: 'This link has already been used' },
    text: {
      pl: 'Każdy link działa tylko raz. Jeśli hasło jest już ustawione, zaloguj się nim. Jeśli to nie Ty je ustawiasz, poproś o\u00a0nowy link i\u00a0zadzwoń do nas.',
      en: 'Every link works only once. If the password is set already, log in with it. If it was not you who set it, ask for a new link and call us.',
    },
  },
} as const

function LinkFailed({ failed, retry }: { failed: CallFailed; retry: () => void }) {
  const t = useText()
  const locale = useLocale()
  const dead = failed.code in deadLinks && deadLinks[failed.code as keyof typeof deadLinks]
  if (!dead)
    return (
      <div className="auth__box">
        <h1>{t({ pl: 'Ustaw hasło', en: 'Set up password' })}</h1>
        <p className="lede">
          {t({ pl: 'Nie wiemy jeszcze, czy link działa.', en: 'We do not know yet whether the link works.' })}
        </p>
        <Notice kind="err" role="alert" className="auth__notice">
          <p>{describeFailure(locale, failed)}</p>
        </Notice>
        <Button icon="refresh" onClick={retry}>
          {t({ pl: 'Spróbuj ponownie', en: 'Try again' })}
        </Button>
      </div>
    )
  return (
    <div className="auth__box">
      <h1>{t(dead.title)}</h1>
      <p className="lede" role="status">
        {t(dead.text)}
      </p>
      <ButtonLink variant="primary" block to="/password-reset">
        {t({ pl: 'Wyślij nowy link', en: 'Send a new link' })}
      </ButtonLink>
      <p className="auth__alt">
        <TextLink to="/">{t({ pl: 'Przejdź do logowania', en: 'Go to login' })}</TextLink>
      </p>
    </div>
  )
}
