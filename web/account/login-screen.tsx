import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { enterSignInCode, resendSignInCode, signIn, SignInForm, type SecondFactor } from '../../contract/account.ts'
import { confirmPhonePath } from '../../contract/pages.ts'
import { call, CallFailed, type FailureCode } from '../api.ts'
import { useText } from '../locale.tsx'
import { partOnDemand } from '../on-demand.tsx'
import { usePage } from '../page-title.ts'
import { useEnterPortal } from '../session.tsx'
import { TextLink } from '../ui/button.tsx'
import { CodeDialog } from '../ui/code-dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { ArrivalNotice } from './arrival-notice.tsx'
import { PasskeySignIn } from './passkey-sign-in.tsx'
import { useBotCheck } from '../ui/bot-check-place.tsx'

/** No page begins with it. */
const BlockedAccountDialog = partOnDemand(() =>
  import('./blocked-account-dialog.tsx').then((file) => file.BlockedAccountDialog),
)

/** Only who has a passkey needs it. */
const SignInPasskey = partOnDemand(() => import('./sign-in-passkey.tsx').then((file) => file.SignInPasskey))

/** What ends the attempt: no further code can be entered or sent for it, only the password again. */
const attemptIsOver: ReadonlySet<FailureCode> = new Set(['code-expired', 'code-void', 'signed-out'])

type Credentials = { login: string; password: string }

/** AUT-1…AUT-4, AUT-8: login and password, then the SMS code or a passkey in a dialog; or a passkey alone. */
export function LoginScreen() {
  const t = useText()
  const enter = useEnterPortal()
  const { prove, words, place } = useBotCheck('sign-in')
  const [sent, setSent] = useState<SecondFactor>()
  const [blocked, setBlocked] = useState(false)
  const [over, setOver] = useState(false)
  const navigate = useNavigate()
  const search = new URLSearchParams(useLocation().search)
  usePage({ title: { pl: 'Logowanie', en: 'Log in' } })

  async function checkPassword(credentials: Credentials) {
    setOver(false)
    CodeDialog.preload()
    try {
      const next = await tryPassword(credentials)
      if (next.channel === 'confirm-phone') await navigate(confirmPhonePath('pl', search.get('returnTo')))
      else setSent(next)
    } catch (error) {
      if (!(error instanceof CallFailed && error.code === 'account-blocked')) throw error
      setBlocked(true)
    }
  }

  /** The server asks for the bot check only from the third try on; the same try is then repeated by itself. */
  async function tryPassword(credentials: Credentials) {
    try {
      return await call(signIn, { body: credentials })
    } catch (error) {
      if (!(error instanceof CallFailed && error.code === 'bot-check-required')) throw error
      return call(signIn, { body: { ...credentials, botProof: await prove() } })
    }
  }

  async function untilOver<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act()
    } catch (error) {
      if (error instanceof CallFailed && attemptIsOver.has(error.code)) {
        setSent(undefined)
        setOver(true)
      }
      throw error
    }
  }

  return (
    <div className="auth__box">
      <h1>{t({ pl: 'Zaloguj się', en: 'Log in' })}</h1>
      <p className="lede">
        {t({
          pl: 'Zarządzaj podpisami, pieczęciami i\u00a0znacznikami czasu.',
          en: 'Manage your signatures, seals and timestamps.',
        })}
      </p>
      <ArrivalNotice />
      {over && (
        <Notice
          kind="warn"
          role="alert"
          className="auth__notice"
          title={t({ pl: 'Tego kodu nie można już użyć', en: 'That code can no longer be used' })}
        >
          {t({
            pl: 'Minął jego czas albo było za dużo błędnych wpisów. Zaloguj się jeszcze raz, a\u00a0wyślemy nowy kod.',
            en: 'Its time is over, or there were too many wrong entries. Log in once more and we will send a new code.',
          })}
        </Notice>
      )}
      <Form schema={SignInForm} onSubmit={checkPassword}>
        <Field
          name="login"
          label={t({ pl: 'Login lub e-mail', en: 'Login or e-mail' })}
          autoComplete="username webauthn"
          autoCapitalize="none"
          spellCheck={false}
        />
        <PasswordField
          name="password"
          label={t({ pl: 'Hasło', en: 'Password' })}
          aside={<TextLink to="/password-reset">{t({ pl: 'Nie pamiętasz hasła?', en: 'Forgot password?' })}</TextLink>}
        />
        {place}
        <Submit block busyText={words ?? t({ pl: 'Logujemy…', en: 'Logging in…' })}>
          {t({ pl: 'Zaloguj się', en: 'Log in' })}
        </Submit>
      </Form>
      <PasskeySignIn onDone={enter} onBlocked={() => setBlocked(true)} />
      <p className="auth__alt" data-page="register">
        {t({ pl: 'Nie masz jeszcze konta? ', en: 'No account yet? ' })}
        <TextLink to="/register">{t({ pl: 'Załóż konto', en: 'Create an account' })}</TextLink>
      </p>
      {sent?.channel === 'passkey' && (
        <SignInPasskey onDone={enter} onSms={setSent} untilOver={untilOver} onClose={() => setSent(undefined)} />
      )}
      {sent && sent.channel !== 'passkey' && (
        <CodeDialog
          title={t({ pl: 'Potwierdź logowanie', en: 'Confirm your login' })}
          sent={sent}
          autoSubmit
          submitLabel={t({ pl: 'Zaloguj się', en: 'Log in' })}
          onSubmit={(code) => untilOver(async () => enter(await call(enterSignInCode, { body: { code } })))}
          onResend={() => untilOver(() => call(resendSignInCode))}
          onClose={() => setSent(undefined)}
        />
      )}
      {blocked && <BlockedAccountDialog />}
    </div>
  )
}
