import { useEffect, useState } from 'react'
import { sendLinkAgain } from '../../contract/password-link.ts'
import { call, CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { focusHeading, usePage } from '../page-title.ts'
import { describeFailure } from '../text/failure-text.ts'
import { Button, ButtonLink, TextLink } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { MailboxHelp } from '../ui/mailbox-help.tsx'
import { useResend } from '../ui/resend.tsx'

const deadLinks = {
  'link-unknown': {
    title: { pl: 'Ten link nie działa', en: 'This link does not work' },
    text: {
      pl: 'Adres mógł się uciąć przy kopiowaniu. Otwórz link prosto z\u00a0najnowszej wiadomości albo podaj swój e-mail, a\u00a0wyślemy nowy.',
      en: 'The address may have been cut off when it was copied. Open the link straight from the newest message, or enter your e-mail and we will send a new one.',
    },
  },
  'link-expired': {
    title: { pl: 'Ten link stracił ważność', en: 'This link has expired' },
    text: {
      pl: 'Minął jego czas, wysłaliśmy już nowszy albo hasło jest już ustawione. Jeśli masz hasło, zaloguj się: zaproszenia do pieczęci czekają na Ciebie. Jeśli nie, wyślij sobie nowy link.',
      en: 'Its time is over, we have already sent a newer one, or the password is set already. If you have a password, log in: invitations to seals wait for you there. If not, send yourself a new link.',
    },
  },
  'link-used': {
    title: { pl: 'Ten link został już użyty', en: 'This link has already been used' },
    text: {
      pl: 'Każdy link działa tylko raz. Jeśli hasło jest już ustawione, zaloguj się nim. Jeśli to nie Ty je ustawiasz, wyślij sobie nowy link i\u00a0zadzwoń do nas.',
      en: 'Every link works only once. If the password is set already, log in with it. If it was not you who set it, send yourself a new link and call us.',
    },
  },
} as const
type DeadCode = keyof typeof deadLinks

const sendNew = { pl: 'Wyślij nowy link', en: 'Send a new link' }
const toLogin = { pl: 'Przejdź do logowania', en: 'Go to login' }

/** Why a link opens nothing, a screen for each reason, and the way to a new one (PWD-2). */
export function LinkFailed({ failed, token, retry }: { failed: CallFailed; token: string | null; retry: () => void }) {
  const [code, setCode] = useState(failed.code)
  if (!(code in deadLinks)) return <CheckFailed failed={failed} retry={retry} />
  if (code === 'link-unknown' || !token) return <Unknown />
  return <Dead code={code as DeadCode} token={token} onUnknown={() => setCode('link-unknown')} />
}

/** Whose it was is not known, so the way forward begins with an e-mail. */
function Unknown() {
  const t = useText()
  const { title, text } = deadLinks['link-unknown']
  usePage({ title })
  useEffect(focusHeading, [])
  return (
    <div className="auth__box">
      <h1>{t(title)}</h1>
      <p className="lede" role="status">
        {t(text)}
      </p>
      <ButtonLink variant="primary" block to="/password-reset">
        {t(sendNew)}
      </ButtonLink>
      {/* A registration that was corrected, or never confirmed, has no account that an e-mail would find. */}
      <p className="auth__alt">
        {t({ pl: 'Zakładasz konto? ', en: 'Creating an account? ' })}
        <TextLink to="/register">{t({ pl: 'Zacznij od nowa', en: 'Start again' })}</TextLink>
      </p>
      <p className="auth__alt">
        <TextLink to="/">{t(toLogin)}</TextLink>
      </p>
    </div>
  )
}

/** The server still knows whose it was, and sends a new one to that account's address. */
function Dead({ code, token, onUnknown }: { code: DeadCode; token: string; onUnknown: () => void }) {
  const t = useText()
  const locale = useLocale()
  const [sentTo, setSentTo] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState<CallFailed>()
  const { title, text } = deadLinks[code]
  usePage({ title })
  useEffect(focusHeading, [])

  const send = () => call(sendLinkAgain, { body: { token } })
  async function sendFirst() {
    setBusy(true)
    setFailed(undefined)
    try {
      setSentTo((await send()).to)
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      if (error.code === 'link-unknown') onUnknown()
      else setFailed(error)
    } finally {
      setBusy(false)
    }
  }

  if (sentTo) return <LinkSent to={sentTo} resend={send} />
  const button = (
    <Button variant={code === 'link-used' ? 'secondary' : 'primary'} block busy={busy} onClick={sendFirst}>
      {t(sendNew)}
    </Button>
  )
  return (
    <div className="auth__box">
      <h1>{t(title)}</h1>
      <p className="lede" role="status">
        {t(text)}
      </p>
      {failed && (
        <Notice kind="err" role="alert" className="auth__notice">
          {describeFailure(locale, failed)}
        </Notice>
      )}
      {code === 'link-used' ? (
        <div className="stack stack--s">
          <ButtonLink variant="primary" block to="/">
            {t(toLogin)}
          </ButtonLink>
          {button}
        </div>
      ) : (
        <>
          {button}
          <p className="auth__alt">
            <TextLink to="/">{t(toLogin)}</TextLink>
          </p>
        </>
      )}
    </div>
  )
}

const sentTitle = { pl: 'Sprawdź swoją skrzynkę', en: 'Check your mailbox' }

/** Says the same whether or not the account has had its share of links (R14). */
function LinkSent({ to, resend }: { to: string; resend: () => Promise<unknown> }) {
  const t = useText()
  usePage({ title: sentTitle })
  useEffect(focusHeading, [])
  const { button, said } = useResend(resend, {
    pl: 'Wysyłamy jeszcze jeden link. Użyj najnowszego.',
    en: 'We are sending one more link. Use the newest one.',
  })
  return (
    <div className="auth__box">
      <h1>{t(sentTitle)}</h1>
      <p className="lede" role="status">
        {t({
          pl: 'Wysyłamy nowy link na adres Twojego konta: ',
          en: 'We are sending a new link to the address of your account: ',
        })}
        <b className="nowrap">{to}</b>
      </p>
      <div className="stack stack--s">
        <p>
          {t({
            pl: 'Użyj najnowszego linku: działa tylko raz. W\u00a0wiadomości jest napisane, jak długo.',
            en: 'Use the newest link: it works only once. The message says for how long.',
          })}
        </p>
        <MailboxHelp />
        <p role="status" className="small">
          {said}
        </p>
        <div className="btns--stack">
          {button}
          <ButtonLink variant="primary" to="/">
            {t(toLogin)}
          </ButtonLink>
        </div>
      </div>
    </div>
  )
}

/** Whether the link is any good could not be asked. */
function CheckFailed({ failed, retry }: { failed: CallFailed; retry: () => void }) {
  const t = useText()
  const locale = useLocale()
  const title = { pl: 'Ustaw hasło', en: 'Set up password' }
  usePage({ title })
  useEffect(focusHeading, [])
  return (
    <div className="auth__box">
      <h1>{t(title)}</h1>
      <p className="lede">
        {t({ pl: 'Nie wiemy jeszcze, czy link działa.', en: 'We do not know yet whether the link works.' })}
      </p>
      <Notice kind="err" role="alert" className="auth__notice">
        {describeFailure(locale, failed)}
      </Notice>
      <Button icon="refresh" onClick={retry}>
        {t({ pl: 'Spróbuj ponownie', en: 'Try again' })}
      </Button>
    </div>
  )
}
