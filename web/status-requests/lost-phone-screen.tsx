import { useLayoutEffect, useState } from 'react'
import { limits } from '../../contract/limits.ts'
import { lostPhoneLink } from '../../contract/lost-phone-link.ts'
import { LostPhoneForm, requestLostPhoneLink } from '../../contract/lost-phone.ts'
import { useText } from '../app/locale.tsx'
import { useMailedToken } from '../app/mailed-token.ts'
import { partOnDemand } from '../app/on-demand.tsx'
import { Heading } from '../app/page-head.tsx'
import { usePage } from '../app/page-title.ts'
import { useBotCheck } from '../bot-check/use-bot-check.tsx'
import { call } from '../calls/api.ts'
import { TextLink } from '../ui/button.tsx'
import { CallButton } from '../ui/call-button.tsx'
import { Field } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** Loaded when needed: with the link of a mail, and when one was sent. */
const LostPhoneLink = partOnDemand(
  () => import('./lost-phone-link.tsx').then((file) => file.LostPhoneLink),
  <LinkOutline />,
)
const LinkSentDialog = partOnDemand(() => import('../account/link-sent-dialog.tsx').then((file) => file.LinkSentDialog))

const title = { pl: 'Utrata telefonu', en: 'Lost your phone?' }

/** Requests the link, or shows the page that it opens (STP-7). */
export function LostPhoneScreen() {
  const { token, drop, leave } = useMailedToken(lostPhoneLink)
  // From here on React knows whether there is a link.
  useLayoutEffect(() => {
    delete document.documentElement.dataset['link']
  }, [])

  if (token !== null) return <LostPhoneLink key={token} token={token} onDone={drop} onStartAgain={leave} />
  return (
    <>
      <LinkRequest />
      <LinkOutline isHidden />
    </>
  )
}

/**
 * Shows a placeholder until it is known what a link opens. Before the script runs, the page's loader and styles show it in place of the
 * form.
 */
function LinkOutline({ isHidden }: { isHidden?: true }) {
  const t = useText()
  return (
    <div className="auth__box link-wait" hidden={isHidden}>
      <h1>{t({ pl: 'Zawieś certyfikaty', en: 'Suspend your certificates' })}</h1>
      <p className="lede">{t({ pl: 'Sprawdzamy link…', en: 'Checking the link…' })}</p>
      <Skeleton lines={14} />
    </div>
  )
}

/** Requests the link; the next screen is the same whether or not the account exists. */
function LinkRequest() {
  const t = useText()
  const { prove, statusText, statusArea } = useBotCheck('lost-phone')
  const [sentFor, setSentFor] = useState<string>()
  usePage({ title })

  const request = async (login: string, botProof: string) => call(requestLostPhoneLink, { body: { login, botProof } })

  return (
    <div className="auth__box link-request">
      <Heading
        title={title}
        lede={{
          pl: 'Zawieś swoje certyfikaty, aby nikt ich nie użył. Wyślemy link na e-mail Twojego konta i\u00a0zapytamy o\u00a0numer dokumentu tożsamości.',
          en: 'Suspend your certificates so that nobody can use them. We’ll send a link to your account’s e-mail address and ask for the number of your identity document.',
        }}
      />
      <Form
        schema={LostPhoneForm}
        onSubmit={async ({ login }) => {
          await request(login, await prove())
          setSentFor(login)
        }}
      >
        <Field
          name="login"
          label={t({ pl: 'Login lub adres e-mail', en: 'Username or e-mail address' })}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
        {statusArea}
        <Submit isWide busyText={statusText ?? t({ pl: 'Wysyłamy…', en: 'Sending…' })}>
          {t({ pl: 'Wyślij link', en: 'Send link' })}
        </Submit>
      </Form>
      <p className="auth__alt">
        <TextLink to="/">{t({ pl: 'Wróć do logowania', en: 'Back to sign-in' })}</TextLink>
      </p>
      <p>
        {t({
          pl: 'Nie masz dostępu do skrzynki albo to pilne? Zadzwoń do nas.',
          en: 'Can’t get into your mailbox, or is it urgent? Call us.',
        })}
      </p>
      <CallButton />
      {sentFor !== undefined && (
        <LinkSentDialog
          action="lost-phone"
          validSeconds={limits.link.lostPhone}
          sentText={{
            pl: 'Jeśli konto istnieje, wysłaliśmy wiadomość na jego adres e-mail. Konto:',
            en: 'If the account exists, we’ve sent a message to its e-mail address. Account:',
          }}
          name={sentFor}
          onResend={(botProof) => request(sentFor, botProof)}
          onClose={() => setSentFor(undefined)}
        />
      )}
    </div>
  )
}
