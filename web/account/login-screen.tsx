import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { signIn, SignInForm } from '../../contract/account.ts'
import { type Text, keysOf } from '../../contract/enums.ts'
import type { SecondFactor } from '../../contract/one-time-code.ts'
import { confirmPhonePath, findPage, loginReasons, pages, safeReturnPath, splitLocale } from '../../contract/pages.ts'
import { isOff } from '../app/config.ts'
import { useHydrated } from '../app/hydration.tsx'
import { useText } from '../app/locale.tsx'
import { partOnDemand } from '../app/on-demand.tsx'
import { Heading } from '../app/page-head.tsx'
import { usePage } from '../app/page-title.ts'
import { useEnterPortal } from '../app/session.tsx'
import { useBotCheck } from '../bot-check/use-bot-check.tsx'
import { call, onFailure, preloadPage, type FailureCode } from '../calls/api.ts'
import { TextLink } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { PasskeySignIn } from './passkey-sign-in.tsx'

/** Loads what follows the password while it is checked, because no page begins with these parts. */
const loadSecondStep = () => import('./sign-in-answers.tsx')
const SignInCode = partOnDemand(() => loadSecondStep().then((file) => file.SignInCode))
const SignInEndNotice = partOnDemand(() => loadSecondStep().then((file) => file.SignInEndNotice))
const BlockedAccountDialog = partOnDemand(() => loadSecondStep().then((file) => file.BlockedAccountDialog))

/** Loaded when needed, by customers with a passkey. */
const SignInPasskey = partOnDemand(() => import('./second-factor-passkey.tsx').then((file) => file.SignInPasskey))

/** Loaded when needed; where the address has a reason, the page's loader asks for it with the other scripts. */
const ArrivalNotice = partOnDemand(
  () => import('./arrival-notice.tsx').then((file) => file.ArrivalNotice),
  <div className="arrival" />,
)

/** Failures that end the attempt: no further code can be entered or sent for it, only the password again. */
const endsAttempt: FailureCode[] = ['code-expired', 'code-void', 'signed-out']

const managed = { signatures: 'podpisami', seals: 'pieczęciami', timestamps: 'znacznikami czasu' }

/** Returns the purpose of the portal, by the features that are on (ERR-5). */
export function lede(): Text {
  const on = keysOf(managed).filter((name) => !isOff(name))
  const list = (words: string[], and: string) => words.join(', ').replace(/, (?!.*,)/, and)
  const inPolish = on.map((name) => managed[name])
  return {
    pl: `Zarządzaj ${list(inPolish, ' i\u00a0') || 'swoim kontem'}.`,
    en: `Manage your ${list(on, ' and ') || 'account'}.`,
  }
}

type Credentials = { login: string; password: string }

/**
 * Signs a customer in (AUT-1…AUT-4, AUT-8): with login and password, then the SMS code or a passkey in a dialog; or with a passkey alone.
 */
export function LoginScreen() {
  const t = useText()
  const enter = useEnterPortal()
  const { prove, statusText, statusArea } = useBotCheck('sign-in')
  const { sent, setSent, over, isBlocked, block, checkPassword, untilOver } = useAttempt(prove)
  usePage({ title: { pl: 'Logowanie', en: 'Sign in' } })
  const passkey = !isOff('passkeys') && <PasskeySignIn onDone={enter} onBlocked={block} />
  return (
    <div className="auth__box">
      <Heading title={{ pl: 'Zaloguj się', en: 'Sign in' }} lede={lede()} />
      <Arrival />
      {over && <SignInEndNotice cause={over} />}
      <Form schema={SignInForm} onSubmit={checkPassword}>
        <Field
          name="login"
          label={t({ pl: 'Login lub adres e-mail', en: 'Username or e-mail address' })}
          autoComplete="username webauthn"
          autoCapitalize="none"
          spellCheck={false}
        />
        <PasswordField
          name="password"
          label={t({ pl: 'Hasło', en: 'Password' })}
          aside={<TextLink to="/password-reset">{t({ pl: 'Nie pamiętasz hasła?', en: 'Forgot password?' })}</TextLink>}
        />
        {statusArea}
        <Submit isWide busyText={statusText ?? t({ pl: 'Logujemy…', en: 'Signing in…' })}>
          {t({ pl: 'Zaloguj się', en: 'Sign in' })}
        </Submit>
      </Form>
      {passkey}
      {!isOff('register') && (
        <p className="auth__alt auth__new">
          {t({ pl: 'Nie masz jeszcze konta? ', en: 'No account yet? ' })}
          <TextLink to="/register">{t({ pl: 'Załóż konto', en: 'Create an account' })}</TextLink>
        </p>
      )}
      {sent?.channel === 'passkey' && (
        <SignInPasskey onDone={enter} onSms={setSent} untilOver={untilOver} onClose={() => setSent(undefined)} />
      )}
      {sent && sent.channel !== 'passkey' && (
        <SignInCode
          sent={sent}
          passkey={passkey}
          onDone={enter}
          untilOver={untilOver}
          onClose={() => setSent(undefined)}
        />
      )}
      {isBlocked && <BlockedAccountDialog />}
    </div>
  )
}

/** Holds how far the attempt has come: which second factor is awaited, or why it has ended. */
function useAttempt(prove: () => Promise<string>) {
  const [sent, setSent] = useState<SecondFactor>()
  const [isBlocked, setIsBlocked] = useState(false)
  const [over, setOver] = useState<FailureCode | 'cookies'>()
  const navigate = useNavigate()
  const returnTo = new URLSearchParams(useLocation().search).get('returnTo')

  async function checkPassword(credentials: Credentials) {
    // Before a text message is sent.
    if (!navigator.cookieEnabled) return setOver('cookies')
    setOver(undefined)
    void SignInCode.preload()
    const next = await tryPassword(credentials).catch(onFailure(['account-blocked'], () => setIsBlocked(true)))
    if (!next) return
    if (next.channel === 'confirm-phone') await navigate(confirmPhonePath('pl', returnTo))
    else setSent(next)
    preloadDestination(returnTo)
  }

  /** Tries the password. The server asks for the bot check only from the third try on; the same try is then repeated automatically. */
  const tryPassword = (credentials: Credentials) =>
    call(signIn, { body: credentials }).catch(
      onFailure(['bot-check-required'], async () =>
        call(signIn, { body: { ...credentials, botProof: await prove() } }),
      ),
    )

  const untilOver = <T,>(request: () => Promise<T>): Promise<T> =>
    request().catch(
      onFailure(endsAttempt, (failure) => {
        setSent(undefined)
        setOver(failure.code)
        throw failure
      }),
    )

  function block() {
    setSent(undefined)
    setIsBlocked(true)
  }

  return { sent, setSent, over, isBlocked, block, checkPassword, untilOver }
}

/** Preloads the code of the next page while the customer reads the text message. */
function preloadDestination(returnTo: string | null) {
  const { pathname } = new URL(safeReturnPath(returnTo) ?? pages.home.path, location.origin)
  const destination = findPage(splitLocale(pathname).path)
  if (destination) preloadPage(destination)
}

/**
 * Shows the notice on arrival, if any. The page is rendered without the query; where there will be a notice, the form is shown together
 * with it.
 */
function Arrival() {
  const search = new URLSearchParams(useLocation().search)
  if (!useHydrated()) return <div className="arrival" />
  const reason = loginReasons.find((known) => known === search.get('reason'))
  return reason && <ArrivalNotice reason={reason} returns={!!safeReturnPath(search.get('returnTo'))} />
}
