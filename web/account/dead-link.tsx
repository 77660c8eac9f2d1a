import { useEffect, useState, type ReactNode } from 'react'
import { type Text, keysOf } from '../../contract/enums.ts'
import { sendLinkAgain } from '../../contract/password-link.ts'
import { useText } from '../app/locale.tsx'
import { focusHeading, usePage } from '../app/page-title.ts'
import { call, onFailure, type ApiError } from '../calls/api.ts'
import { MailboxHelp } from '../step-up/mailbox-help.tsx'
import { useResend } from '../step-up/resend.tsx'
import { AnswerLink } from '../text/answer-link.tsx'
import { explainFailure } from '../text/failure-answer.tsx'
import { useAction } from '../ui/action.ts'
import { Button, ButtonLink, TextLink } from '../ui/button.tsx'
import { CallButton } from '../ui/call-button.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { RetryButton } from '../ui/retry-button.tsx'

const deadLinks = {
  'link-unknown': {
    title: { pl: 'Ten link nie działa', en: 'This link doesn’t work' },
    text: {
      pl: 'Być może skopiowano tylko część adresu. Otwórz link prosto z\u00a0najnowszej wiadomości albo podaj swój e-mail, a\u00a0wyślemy nowy.',
      en: 'The address may have been cut off when it was copied. Open the link straight from the newest message, or enter your e-mail and we’ll send a new one.',
    },
  },
  'link-expired': {
    title: { pl: 'Ten link wygasł', en: 'This link has expired' },
    text: {
      pl: 'Minął jego czas, wysłaliśmy już nowszy albo hasło jest już ustawione. Jeśli masz hasło, zaloguj się, a\u00a0jeśli nie, wyślij nowy link.',
      en: 'Its time is up, we’ve sent a newer one, or the password is already set. If you have a password, sign in; if not, get a new link.',
    },
  },
  'link-used': {
    title: { pl: 'Ten link został już użyty', en: 'This link has already been used' },
    text: {
      pl: 'Każdy link działa tylko raz. Zaloguj się ustawionym hasłem, a\u00a0jeśli ustawił je ktoś inny, wyślij nowy link i\u00a0zadzwoń do nas.',
      en: 'Each link works only once. Sign in with the password you’ve set; if someone else set it, get a new link and call us.',
    },
  },
} as const
type DeadCode = keyof typeof deadLinks

const sendNew = { pl: 'Wyślij nowy link', en: 'Get a new link' }
const toLogin = { pl: 'Przejdź do logowania', en: 'Go to sign-in' }

/** Shows why a link does not work, with a screen for each reason, and how to get a new one (PWD-2). */
export function LinkFailed({ failed, token, retry }: { failed: ApiError; token: string | null; retry: () => void }) {
  const [code, setCode] = useState(() => keysOf(deadLinks).find((dead) => dead === failed.code))
  if (!code) return <CheckFailed failed={failed} retry={retry} />
  if (code === 'link-unknown' || !token) return <Unknown />
  return <Dead code={code} token={token} onUnknown={() => setCode('link-unknown')} />
}

/** Asks for an e-mail address, because the owner of the link is not known. */
function Unknown() {
  const t = useText()
  const { title, text } = deadLinks['link-unknown']
  return (
    <LinkScreen
      title={title}
      role="status"
      lede={
        <>
          {t(text)} <AnswerLink to="link-not-working" />
        </>
      }
    >
      <ButtonLink variant="primary" isWide to="/password-reset">
        {t(sendNew)}
      </ButtonLink>
      {/* A registration that was corrected, or never confirmed, has no account that an e-mail would find. */}
      <p className="auth__alt">
        {t({ pl: 'Zakładasz konto? ', en: 'Creating an account? ' })}
        <TextLink to="/register">{t({ pl: 'Zacznij od\u00a0nowa', en: 'Start again' })}</TextLink>
      </p>
      <p className="auth__alt">
        <TextLink to="/">{t(toLogin)}</TextLink>
      </p>
    </LinkScreen>
  )
}

/** Offers a new link. The server still knows the owner, and sends the link to that account's address. */
function Dead({ code, token, onUnknown }: { code: DeadCode; token: string; onUnknown: () => void }) {
  const t = useText()
  const [sentTo, setSentTo] = useState<string>()
  const { title, text } = deadLinks[code]

  const send = () => call(sendLinkAgain, { body: { token } })
  const { run, isBusy, failureText } = useAction(() =>
    send().then(({ to }) => setSentTo(to), onFailure(['link-unknown'], onUnknown)),
  )

  if (sentTo) return <LinkSent to={sentTo} resend={send} />
  const button = (
    <Button variant={code === 'link-used' ? 'secondary' : 'primary'} isWide isBusy={isBusy} onClick={run}>
      {t(sendNew)}
    </Button>
  )
  return (
    <LinkScreen
      title={title}
      role="status"
      lede={
        <>
          {t(text)} <AnswerLink to="link-not-working" />
        </>
      }
    >
      <FailureNotice text={failureText} className="auth__notice" />
      {code === 'link-used' ? (
        <div className="stack stack--small">
          <ButtonLink variant="primary" isWide to="/">
            {t(toLogin)}
          </ButtonLink>
          {button}
          <CallButton />
        </div>
      ) : (
        <>
          {button}
          <p className="auth__alt">
            <TextLink to="/">{t(toLogin)}</TextLink>
          </p>
        </>
      )}
    </LinkScreen>
  )
}

/** Shows that a link was sent, whether or not the account has reached its limit of links (R14). */
function LinkSent({ to, resend }: { to: string; resend: () => Promise<unknown> }) {
  const t = useText()
  const { button, status } = useResend(resend, {
    pl: 'Wysyłamy kolejny link. Użyj najnowszego.',
    en: 'We’re sending another link. Use the newest one.',
  })
  return (
    <LinkScreen
      title={{ pl: 'Sprawdź swoją skrzynkę', en: 'Check your mailbox' }}
      role="status"
      lede={
        <>
          {t({
            pl: 'Wysyłamy nowy link na adres Twojego konta: ',
            en: 'We’re sending a new link to your account’s address: ',
          })}
          <b className="nowrap">{to}</b>
        </>
      }
    >
      <div className="stack stack--small">
        <p>
          {t({
            pl: 'Użyj najnowszego linku. Działa tylko raz, a\u00a0w\u00a0wiadomości podajemy, do kiedy.',
            en: 'Use the newest link. You can use it once. The message says when it expires.',
          })}
        </p>
        <MailboxHelp />
        {status}
        <div className="buttons--stack">
          {button}
          <ButtonLink variant="primary" to="/">
            {t(toLogin)}
          </ButtonLink>
        </div>
      </div>
    </LinkScreen>
  )
}

/** Shows that the validity of the link could not be checked. */
function CheckFailed({ failed, retry }: { failed: ApiError; retry: () => void }) {
  const t = useText()
  return (
    <LinkScreen
      title={{ pl: 'Ustaw hasło', en: 'Set a password' }}
      lede={t({ pl: 'Nie wiemy jeszcze, czy link działa.', en: 'We don’t know yet whether the link works.' })}
    >
      <FailureNotice text={explainFailure(t.locale, failed)} className="auth__notice" />
      <RetryButton onClick={retry} />
    </LinkScreen>
  )
}

type LinkScreenProps = { title: Text; lede: ReactNode; role?: 'status'; children: ReactNode }

/** Shows a screen of the page for password links. The screen replaces another one without a navigation, so it takes the focus. */
export function LinkScreen({ title, lede, role, children }: LinkScreenProps) {
  const t = useText()
  usePage({ title })
  useEffect(focusHeading, [])
  return (
    <div className="auth__box">
      <h1>{t(title)}</h1>
      <p className="lede" role={role}>
        {lede}
      </p>
      {children}
    </div>
  )
}
