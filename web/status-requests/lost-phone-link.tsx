import { useCallback, useState, type ReactNode } from 'react'
import * as z from 'zod/mini'
import type { Reply } from '../../contract/endpoint.ts'
import type { Text } from '../../contract/enums.ts'
import { checkLostPhoneLink, suspendAfterLoss } from '../../contract/lost-phone.ts'
import { DocumentNumberForm } from '../../contract/phone-change.ts'
import { LinkScreen } from '../account/dead-link.tsx'
import { useLinkCheck } from '../account/link-check.ts'
import { config, isOff } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { dropSession } from '../app/session.tsx'
import { ApiError, call, onFailure } from '../calls/api.ts'
import { DateText, DateTimeText } from '../text/date-text.tsx'
import { explainFailure } from '../text/failure-answer.tsx'
import { signatureProductText } from '../text/product-text.ts'
import { Button, ButtonLink, TextLink } from '../ui/button.tsx'
import { CallButton } from '../ui/call-button.tsx'
import { DescriptionList, Row } from '../ui/description-list.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { CodeTextField } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { RetryButton } from '../ui/retry-button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

type Props = { token: string; onDone: () => void; onStartAgain: () => void }
type FoundCertificates = Reply<typeof checkLostPhoneLink>
type SuspensionReply = Reply<typeof suspendAfterLoss>

const checkLink = (token: string) => call(checkLostPhoneLink, { body: { token } })

const deadCodes = ['link-unknown', 'link-expired', 'link-used', 'too-many-attempts'] as const
const title = { pl: 'Zawieś certyfikaty', en: 'Suspend your certificates' }

/** Shows the page that the mailed link opens: asks for the number of the document, then shows what was requested (STP-7). */
export function LostPhoneLink({ token, onDone, onStartAgain }: Props) {
  const { link, failed, setFailed, retry } = useLinkCheck(
    checkLink,
    useCallback(() => token, [token]),
  )
  const [done, setDone] = useState<SuspensionReply>()

  async function suspend(documentNumber: string) {
    const sent = call(suspendAfterLoss, { body: { token, documentNumber } })
    const reply = await sent.catch(onFailure([...deadCodes], setFailed))
    if (!reply) return
    onDone()
    // Other tabs show it too (R9). The session of another account is kept.
    if (reply.hasEndedSession) dropSession('session-gone')
    setDone(reply)
  }

  if (done) return <Requested done={done} />
  if (failed) return <LinkFailed failed={failed} onRetry={retry} onStartAgain={onStartAgain} />
  if (!link) return <Checking />
  return link.certificates + link.suspended ? (
    <NumberForm link={link} onSubmit={suspend} onStartAgain={onStartAgain} />
  ) : (
    <NothingToSuspend onStartAgain={onStartAgain} />
  )
}

function Checking() {
  const t = useText()
  return (
    <LinkScreen title={title} role="status" lede={t({ pl: 'Sprawdzamy link…', en: 'Checking the link…' })}>
      <Skeleton lines={14} />
    </LinkScreen>
  )
}

const deadTexts = {
  'link-unknown': {
    title: { pl: 'Ten link nie działa', en: 'This link doesn’t work' },
    text: {
      pl: 'Być może skopiowano tylko część adresu. Otwórz link prosto z\u00a0najnowszej wiadomości albo poproś o\u00a0nowy.',
      en: 'The address may have been cut off when it was copied. Open the link straight from the newest message, or ask for a new one.',
    },
  },
  'link-expired': {
    title: { pl: 'Ten link wygasł', en: 'This link has expired' },
    text: {
      pl: 'Minął jego czas albo użyto już innego linku. Jeśli certyfikaty nie są jeszcze zawieszone, poproś o\u00a0nowy.',
      en: 'Its time is up, or another link has been used. If your certificates aren’t suspended yet, ask for a new one.',
    },
  },
  'link-used': {
    title: { pl: 'Ten link został już użyty', en: 'This link has already been used' },
    text: {
      pl: 'Wysłaliśmy e-mail o\u00a0tym, co zlecono. To nie Ty? Zadzwoń do nas.',
      en: 'We’ve e-mailed you about what was requested. Wasn’t it you? Call us.',
    },
  },
  'too-many-attempts': {
    title: { pl: 'Za dużo błędnych numerów', en: 'Too many wrong document numbers' },
    text: {
      pl: 'Zadzwoń do nas od razu: zawiesimy certyfikaty przez telefon.',
      en: 'Call us right away: we’ll suspend your certificates by phone.',
    },
  },
} as const

type FailedProps = { failed: ApiError; onRetry: () => void; onStartAgain: () => void }

function LinkFailed({ failed, onRetry, onStartAgain }: FailedProps) {
  const t = useText()
  const code = deadCodes.find((dead) => dead === failed.code)
  if (!code)
    return (
      <LinkScreen
        title={title}
        lede={t({ pl: 'Nie wiemy jeszcze, czy link działa.', en: 'We don’t know yet whether the link works.' })}
      >
        <FailureNotice text={explainFailure(t.locale, failed)} className="auth__notice" />
        <div className="stack stack--small">
          <RetryButton onClick={onRetry} />
          <CallButton />
        </div>
        <ToSignIn />
      </LinkScreen>
    )
  return (
    <LinkScreen title={deadTexts[code].title} role="status" lede={t(deadTexts[code].text)}>
      <div className="stack stack--small">
        {code !== 'too-many-attempts' && (
          <Button variant={code === 'link-used' ? 'secondary' : 'primary'} isWide onClick={onStartAgain}>
            {t({ pl: 'Wyślij nowy link', en: 'Get a new link' })}
          </Button>
        )}
        <CallButton variant={code === 'too-many-attempts' ? 'primary' : undefined} />
        {code === 'too-many-attempts' && (
          // The provider's own way is open at night too.
          <p>
            <TextLink href={config.brand.links.suspension}>
              {t({
                pl: 'Zawieś lub unieważnij certyfikat w inny sposób',
                en: 'Other ways to suspend or revoke a certificate',
              })}
            </TextLink>
          </p>
        )}
      </div>
      <ToSignIn />
    </LinkScreen>
  )
}

function ToSignIn() {
  const t = useText()
  return (
    <p className="auth__alt">
      <TextLink to="/">{t({ pl: 'Wróć do logowania', en: 'Back to sign-in' })}</TextLink>
    </p>
  )
}

type StartAgain = Pick<Props, 'onStartAgain'>

function NothingToSuspend({ onStartAgain }: StartAgain) {
  const t = useText()
  return (
    <LinkScreen
      title={{ pl: 'Nie ma czego zawiesić', en: 'Nothing to suspend' }}
      role="status"
      lede={t({
        pl: 'Na Twoim koncie nie ma teraz podpisu, który można zawiesić. Aby zmienić numer telefonu, zadzwoń do nas.',
        en: 'There’s no signature in your account that can be suspended right now. To change your phone number, call us.',
      })}
    >
      <CallButton />
      <StartAgainLinks onStartAgain={onStartAgain} />
    </LinkScreen>
  )
}

/** Shows the links to a new request and to the sign-in; until a new request, the token and with it this page stay in the tab. */
function StartAgainLinks({ onStartAgain }: StartAgain) {
  const t = useText()
  return (
    <>
      <p className="auth__alt">
        {t({ pl: 'Inne konto? ', en: 'Another account? ' })}
        <button type="button" className="link" onClick={onStartAgain}>
          {t({ pl: 'Wyślij nowy link', en: 'Get a new link' })}
        </button>
      </p>
      <ToSignIn />
    </>
  )
}

type NumberFormProps = StartAgain & { link: FoundCertificates; onSubmit: (number: string) => Promise<unknown> }

function NumberForm({ link, onSubmit, onStartAgain }: NumberFormProps) {
  const t = useText()
  const { certificates, expiresAt } = link
  return (
    <LinkScreen
      title={certificates ? title : { pl: 'Zgłoś utratę telefonu', en: 'Report the loss' }}
      lede={
        <>
          {t(whatFor(certificates))}
          {t({ pl: 'Link działa do ', en: 'The link works until ' })}
          <DateTimeText at={expiresAt} />.
        </>
      }
    >
      <Form
        schema={z.object(DocumentNumberForm.shape)}
        failures={{ other: 'documentNumber' }}
        summary={false}
        onSubmit={({ documentNumber }) => onSubmit(documentNumber)}
      >
        <Notice kind="warning" title={t({ pl: 'Co się stanie', en: 'What will happen' })}>
          <p>
            {t({
              pl: 'Podpisy złożone podczas zawieszenia nie będą ważne. Złożone wcześniej są nadal ważne.',
              en: 'Signatures made during the suspension won’t be valid. Those you made before are still valid.',
            })}
          </p>
          <p>
            {t({
              pl: 'Wylogujemy Cię ze wszystkich urządzeń. Zawieszenie cofniemy dopiero po rozmowie z\u00a0Tobą.',
              en: 'We’ll sign you out on all devices. We’ll end the suspension only after we’ve talked to you.',
            })}
          </p>
        </Notice>
        <CodeTextField
          name="documentNumber"
          label={t({ pl: 'Seria i\u00a0numer dokumentu tożsamości', en: 'Identity document number' })}
          hint={t({
            pl: 'Wpisz numer dokumentu zapisanego w\u00a0Twoich danych. Spacje i\u00a0wielkość liter nie mają znaczenia.',
            en: 'Use the document we have on record. Spaces and upper or lower case don’t matter.',
          })}
        />
        <Submit variant="danger" isWide busyText={t({ pl: 'Sprawdzamy…', en: 'Checking…' })}>
          {certificates
            ? t({ pl: 'Zawieś certyfikaty', en: 'Suspend certificates' })
            : t({ pl: 'Zgłoś utratę telefonu', en: 'Report the loss' })}
        </Submit>
        <div className="stack stack--small">
          <p>{t({ pl: 'Nie pamiętasz numeru? Zadzwoń do nas.', en: 'Don’t know the number? Call us.' })}</p>
          <CallButton />
        </div>
      </Form>
      <StartAgainLinks onStartAgain={onStartAgain} />
    </LinkScreen>
  )
}

function whatFor(certificates: number): Text {
  if (!certificates)
    return {
      pl: 'Twoje podpisy są już zawieszone albo czekają na zawieszenie. Po zgłoszeniu nikt nie cofnie zawieszenia kodem z\u00a0telefonu. ',
      en: 'Your signatures are already suspended, or about to be. Once you’ve reported the loss, nobody can undo that with a code from the phone. ',
    }
  return certificates === 1
    ? { pl: 'Zlecimy zawieszenie Twojego podpisu. ', en: 'We’ll request the suspension of your signature. ' }
    : {
        pl: `Zlecimy zawieszenie wszystkich Twoich podpisów (${certificates}). `,
        en: `We’ll request the suspension of your ${certificates} signatures. `,
      }
}

function Requested({ done: { requested, seals } }: { done: SuspensionReply }) {
  const t = useText()
  const [first] = requested
  return (
    <LinkScreen
      title={
        first
          ? { pl: 'Zlecono zawieszenie', en: 'Suspension requested' }
          : { pl: 'Zgłoszenie zapisane', en: 'Loss reported' }
      }
      role="status"
      lede={
        <>
          {first && (
            <>
              {t({ pl: 'Status zmieni się najpóźniej ', en: 'The status will change by ' })}
              <DateTimeText at={first.deadline} />
              {t({ pl: '. Wtedy wyślemy e-mail. ', en: '. We’ll e-mail you then. ' })}
            </>
          )}
          {t({ pl: 'Wylogowaliśmy Cię ze wszystkich urządzeń.', en: 'You’ve been signed out on all devices.' })}
        </>
      }
    >
      <div className="stack">
        {first && (
          <DescriptionList>
            {requested.map(({ product, organisation, validTo }, i) => (
              <Row key={i} name={t(signatureProductText[product])}>
                {organisation !== null && `${organisation}, `}
                {t({ pl: 'ważny do ', en: 'valid until ' })}
                <DateText at={validTo} />
              </Row>
            ))}
          </DescriptionList>
        )}
        {seals.length > 0 && (
          <Notice kind="warning" title={t({ pl: 'Pieczęcie nie są zawieszone', en: 'Seals aren’t suspended' })}>
            <p>{seals.join('; ')}</p>
            <p>
              {t({
                pl: 'Poproś administratora pieczęci, aby usunął Twój dostęp. Jeśli nie ma innego administratora, zadzwoń do nas.',
                en: 'Ask an administrator of the seal to remove your access. If you’re the only one, call us.',
              })}
            </p>
          </Notice>
        )}
        <h2>{t({ pl: 'Co dalej', en: 'What to do next' })}</h2>
        <Next>
          {t({
            pl: 'Zablokuj kartę SIM u\u00a0swojego operatora.',
            en: 'Ask your mobile network to block the SIM card.',
          })}
          {!isOff('passkeys') &&
            !isOff('phone-change') &&
            t({
              pl: 'Masz klucz dostępu na innym urządzeniu? Zaloguj się nim i\u00a0zmień numer telefonu na stronie „Moje dane”. Na stronie „Bezpieczeństwo” usuń klucze z\u00a0utraconego telefonu.',
              en: 'Have a passkey on another device? Sign in with it and change your phone number in “My data”. In “Security”, remove the passkeys of the lost phone.',
            })}
          {t({
            pl: 'Zadzwoń do nas, jeśli nie możesz się zalogować albo chcesz cofnąć zawieszenie.',
            en: 'Call us if you can’t sign in, or to end the suspension.',
          })}
        </Next>
        <CallButton />
        <ButtonLink variant="primary" isWide to="/">
          {t({ pl: 'Przejdź do logowania', en: 'Go to sign-in' })}
        </ButtonLink>
      </div>
    </LinkScreen>
  )
}

const Next = ({ children }: { children: ReactNode[] }) => (
  <ol className="ordered-list">
    {children.filter(Boolean).map((step, i) => (
      <li key={i}>{step}</li>
    ))}
  </ol>
)
