import { useEffect, useLayoutEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { RequiredConsent } from '../../contract/consents.ts'
import type { Reply } from '../../contract/endpoint.ts'
import type { Locale } from '../../contract/enums.ts'
import { confirmPhonePath, inLocale, loginPath, pages } from '../../contract/pages.ts'
import { checkPasswordLink, setPassword, setPasswordFormWith } from '../../contract/password-link.ts'
import { endSentence } from '../../contract/rules/end-sentence.ts'
import { config } from '../app/config.ts'
import { useLocale, useText } from '../app/locale.tsx'
import { mailedToken, takenToken } from '../app/mailed-token.ts'
import { Greeting } from '../app/page-head.tsx'
import { focusHeading, usePage } from '../app/page-title.ts'
import { useParams } from '../app/route.ts'
import { dropSession } from '../app/session.tsx'
import { ApiError, call, onFailure } from '../calls/api.ts'
import { ConsentFields, type Read } from '../consents/consent-fields.tsx'
import { hashWordings } from '../consents/wordings.ts'
import './set-up.css'
import { DateTimeText } from '../text/date-text.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { LinkFailed, LinkScreen } from './dead-link.tsx'
import { useLinkCheck } from './link-check.ts'
import { NewPasswordFields, PasswordOwner } from './new-password-fields.tsx'
import { SetUpSummaries } from './set-up-summaries.tsx'

const tokens = mailedToken('password-link')

type Link = Reply<typeof checkPasswordLink>

const checkLink = (token: string) => call(checkPasswordLink, { body: { token } })

/** Shows the page that the link in a mail opens, for a first password and for a forgotten one (PWD-2 and the last step of PWD-1). */
export function SetupPasswordScreen() {
  const locale = useLocale()
  const navigate = useNavigate()
  const { token = '' } = useParams()
  const { link, failed, setFailed, retry } = useLinkCheck(checkLink, tokens.kept)

  // Before anything else on the page can pass the address on (R10).
  useLayoutEffect(() => {
    if (token === takenToken) return
    tokens.keep(token)
    void navigate(`/setup-password/${takenToken}`, { replace: true })
  }, [token, navigate])

  function finish() {
    tokens.drop()
    // Any session here has ended, and a new page keeps nothing of it (R9).
    dropSession('password-set')
    // A customer who was invited to a seal continues there (SEA-4).
    const back = link?.invited?.seals.length ? inLocale(locale, pages.seals.path) : undefined
    location.replace(
      link?.confirmsPhone ? confirmPhonePath(locale, back) : loginPath(locale, { reason: 'password-set', back }),
    )
  }

  if (failed) return <LinkFailed failed={failed} token={tokens.kept()} retry={retry} />
  if (!link) return <Checking />
  const form = (
    <NewPasswordForm
      login={link.login}
      token={tokens.kept()!}
      required={link.required}
      onDone={finish}
      onLinkFailed={setFailed}
    />
  )
  return link.invited ? (
    <Welcome link={link} invited={link.invited}>
      {form}
    </Welcome>
  ) : (
    <Reset link={link}>{form}</Reset>
  )
}

const title = { pl: 'Ustaw hasło', en: 'Set a password' }

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

type Props = { link: Link; invited: NonNullable<Link['invited']>; children: React.ReactNode }

/** Shows what the portal knows of the customer before they set their first password; no name goes into the title (R86). */
function Welcome({ link: { login, expiresAt, confirmsPhone }, invited, children }: Props) {
  const t = useText()
  usePage({ title })
  useEffect(focusHeading, [])
  return (
    <div className="auth__box setup">
      <Greeting customer={invited} />
      <p className="lede">
        {t({
          pl: `${endSentence(`Sprawdź swoje dane i\u00a0ustaw hasło do konta w\u00a0portalu ${config.brand.product}`)} `,
          en: `Check your details and set a password for your account in the ${config.brand.product} portal. `,
        })}
        {confirmsPhone &&
          t({ pl: 'Potem potwierdzisz numer telefonu. ', en: 'After that, you’ll confirm your phone number. ' })}
        <ValidUntil expiresAt={expiresAt} />
      </p>
      <SetUpSummaries login={login} invited={invited} />
      <h2>{t({ pl: 'Ustaw hasło', en: 'Set password' })}</h2>
      {children}
    </div>
  )
}

function Reset({ link: { login, expiresAt }, children }: { link: Link; children: React.ReactNode }) {
  const t = useText()
  return (
    <LinkScreen
      title={{ pl: 'Ustaw nowe hasło', en: 'Set a new password' }}
      lede={
        <>
          {t({ pl: 'Konto: ', en: 'Account: ' })}
          <b className="mono wrap" translate="no">
            {login}
          </b>
          {'. '}
          <ValidUntil expiresAt={expiresAt} />
        </>
      }
    >
      {children}
    </LinkScreen>
  )
}

function ValidUntil({ expiresAt }: { expiresAt: string }) {
  const t = useText()
  return (
    <>
      {t({ pl: 'Link działa do ', en: 'The link works until ' })}
      <DateTimeText at={expiresAt} />.
    </>
  )
}

type NewPasswordFormProps = {
  login: string
  token: string
  /** Consents that are accepted with the password (REG-8). */
  required: readonly RequiredConsent[]
  onDone: () => void
  onLinkFailed: (failed: ApiError) => void
}

function NewPasswordForm({ login, token, required, onDone, onLinkFailed }: NewPasswordFormProps) {
  const t = useText()
  const [read, setRead] = useState<Read>(new Set())

  async function set({ newPassword, repeatPassword }: { newPassword: string; repeatPassword: string }) {
    const password = { newPassword, repeatPassword }
    const accepted = required.length > 0 && {
      accepted: { locale: t.locale, ...(await computeHashes(required, t.locale)) },
    }
    await call(setPassword, { body: { token, password, ...accepted } }).then(
      onDone,
      onFailure(['link-unknown', 'link-expired', 'link-used'], onLinkFailed),
    )
  }

  return (
    <Form schema={setPasswordFormWith(required)} failures={{ 'password-used-before': 'newPassword' }} onSubmit={set}>
      <PasswordOwner login={login} />
      <NewPasswordFields repeatLabel={t({ pl: 'Powtórz hasło', en: 'Repeat password' })} />
      {required.length > 0 && (
        <ConsentFields kinds={required} read={read} onRead={(kind) => setRead(new Set([...read, kind]))} />
      )}
      <Submit isWide busyText={t({ pl: 'Zapisujemy…', en: 'Saving…' })}>
        {t({ pl: 'Ustaw hasło', en: 'Set password' })}
      </Submit>
    </Form>
  )
}

/** Returns the hashes of the wordings that the boxes have shown. */
async function computeHashes(kinds: readonly RequiredConsent[], locale: Locale) {
  const hashes = await hashWordings(locale)
  return Object.fromEntries(kinds.map((kind) => [kind, hashes[kind]]))
}
