import { useState, type ReactNode } from 'react'
import * as z from 'zod/mini'
import {
  enterServiceCodes,
  finishAtReturn,
  openServicePage,
  sendServiceCode,
  ServiceOtp,
  type ServiceAuthorisation,
} from '../../contract/service-authorisation.ts'
import { useLocale, useText } from '../app/locale.tsx'
import { SupportLine } from '../app/support-line.tsx'
import { ApiError, call, hasFailedWith, type FailureCode } from '../calls/api.ts'
import { CodeResend } from '../step-up/code-resend.tsx'
import { explainFailure } from '../text/failure-answer.tsx'
import { useAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { Field } from '../ui/field.tsx'
import { Cancel, Form, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import type { SigningReturn } from './signing-return.ts'

/** Failures after which the customer can try again with the same code of the portal; any other failure ends the signing. */
const retryableFailures: ReadonlySet<FailureCode> = new Set([
  'invalid-input',
  'unavailable',
  'busy',
  'signing-refused',
  'signing-cancelled',
  'offline',
  'sends-spent',
  'resend-too-early',
])
export const canRetry = (error: ApiError) => retryableFailures.has(error.code)

/** Completes a signature with what the service's page has returned. */
export const finishReturn = ({ signing, case: _, ...body }: SigningReturn) =>
  call(finishAtReturn, { params: { id: signing }, body })

const required = z.string('required').check(z.minLength(1, 'required'))
const forms = {
  otp: z.strictObject({ otp: ServiceOtp }),
  pin: z.strictObject({ pin: required }),
  both: z.strictObject({ otp: ServiceOtp, pin: required }),
}

export const serviceText = {
  title: { pl: 'Potwierdź w\u00a0usłudze podpisu', en: 'Confirm with the signing service' },
  goThere: { pl: 'Przejdź do usługi podpisu', en: 'Go to the signing service' },
}

type FormProps = {
  authorisation: ServiceAuthorisation
  className?: string
  onSigned: () => Promise<void> | void
  /** Reports that the signing has ended and has to be started again. */
  onOver: (error: ApiError) => void
  /** Reports that the sending of the entered values begins or ends. */
  onSending?: ((isSending: boolean) => void) | undefined
  children: (fields: ReactNode) => ReactNode
}

/** Asks for the service's one-time code and its PIN (SGN-11, SGN-12). A wrong one is shown at its field, and nothing is lost. */
function ServiceCodesForm({ authorisation: begun, className, onSigned, onOver, onSending, children }: FormProps) {
  const locale = useLocale()
  const [authorisation, setAuthorisation] = useState(begun)
  const [failure, setFailure] = useState<ApiError>()
  const { id, otp, pin } = authorisation
  const params = { id }

  /** Sends the entered values. A failure of the service is shown above the fields, which keep them. */
  async function submit(body: { otp?: string; pin?: string }) {
    setFailure(undefined)
    onSending?.(true)
    try {
      await enter(body)
      await onSigned()
    } finally {
      onSending?.(false)
    }
  }

  async function enter(body: { otp?: string; pin?: string }) {
    try {
      await call(enterServiceCodes, { params, body })
    } catch (error) {
      if (!hasFailedWith(error) || hasFailedWith(error, 'invalid-input')) throw error
      if (canRetry(error)) setFailure(error)
      else onOver(error)
      throw new ApiError('canceled')
    }
  }

  const form = otp === 'none' ? forms.pin : pin ? forms.both : forms.otp
  return (
    <Form schema={form} onSubmit={submit} summary={false} {...(className !== undefined && { className })}>
      {children(
        <>
          <FailureNotice text={failure && explainFailure(locale, failure)} />
          <ServiceFields
            authorisation={authorisation}
            onResend={async () => setAuthorisation(await call(sendServiceCode, { params }))}
          />
        </>,
      )}
    </Form>
  )
}

type CodesDialogProps = Pick<FormProps, 'authorisation' | 'onSigned' | 'onOver'> & {
  description?: ReactNode
  /** Next to the buttons. */
  note?: ReactNode
  submitLabel: string
  onClose: () => void
}

export function ServiceCodesDialog({ description, note, submitLabel, onClose, ...form }: CodesDialogProps) {
  const t = useText()
  return (
    <ServiceCodesForm className="bare" {...form}>
      {(fields) => (
        <Dialog
          width="s"
          title={t(serviceText.title)}
          description={description}
          onClose={onClose}
          footer={
            <>
              {note}
              <Cancel onClick={onClose} />
              <Submit busyText={t({ pl: 'Podpisujemy…', en: 'Signing…' })}>{submitLabel}</Submit>
            </>
          }
        >
          <div className="stack">{fields}</div>
        </Dialog>
      )}
    </ServiceCodesForm>
  )
}

type FieldsProps = { authorisation: ServiceAuthorisation; onResend: () => Promise<void> }

function ServiceFields({
  authorisation: { id, otp, pin, sentAt, resendAt, sendsLeft, expiresAt },
  onResend,
}: FieldsProps) {
  const t = useText()
  const sent = { id, channel: 'sms' as const, to: '', ordinal: 1, sendsLeft, expiresAt, resendAt }
  return (
    <>
      <p className="soft">
        {t({
          pl: 'Kod z\u00a0portalu się zgadza. Usługa, która przechowuje klucz Twojego podpisu, wymaga jeszcze własnego potwierdzenia.',
          en: 'Your portal code is correct. The signing service now needs its own confirmation.',
        })}
      </p>
      {otp === 'sent' && !sentAt && (
        <Notice kind="warning" role="status">
          {t({
            pl: 'Usługa podpisu nie wysłała jeszcze kodu. Wyślij go za chwilę przyciskiem poniżej.',
            en: 'The signing service hasn’t sent its code yet. Send it in a moment with the button below.',
          })}
        </Notice>
      )}
      {otp !== 'none' && (
        <Field
          name="otp"
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={64}
          label={
            otp === 'sent'
              ? t({ pl: 'Kod od usługi podpisu', en: 'Code from the signing service' })
              : t({ pl: 'Kod z\u00a0aplikacji lub tokena usługi podpisu', en: 'Code from the service’s app or token' })
          }
          hint={
            otp === 'sent'
              ? t({
                  pl: 'Wpisz kod od usługi podpisu, nie kod SMS z\u00a0portalu.',
                  en: 'Enter the code from the signing service, not the portal’s text message.',
                })
              : t({
                  pl: 'Wyświetla go aplikacja albo token, które masz od tej usługi.',
                  en: 'It’s shown by the app or token you have from this service.',
                })
          }
        />
      )}
      {pin && (
        <PasswordField
          name="pin"
          autoComplete="off"
          maxLength={64}
          label={t({ pl: 'PIN do usługi podpisu', en: 'Your signing PIN' })}
          hint={t({
            pl: 'PIN ustalony w\u00a0usłudze podpisu. Portal go nie zapisuje.',
            en: 'The PIN you set with the signing service. The portal doesn’t store it.',
          })}
        />
      )}
      {pin && (
        <p className="hint">
          {t({ pl: 'Nie pamiętasz PIN-u? Zadzwoń: ', en: 'Forgotten your PIN? Call ' })}
          <SupportLine />
        </p>
      )}
      {otp === 'sent' && <CodeResend sent={{ ...sent, sentAt: sentAt ?? resendAt }} onResend={onResend} isByService />}
    </>
  )
}

/** Opens the service's page in this tab, which leads back here (SGN-13). */
export function useServicePage({ id }: Pick<ServiceAuthorisation, 'id'>, onOver: (error: ApiError) => void) {
  const locale = useLocale()
  return useAction(async () => {
    try {
      const { url } = await call(openServicePage, { params: { id }, body: { locale } })
      location.assign(url)
      // The button stays busy until the page is gone.
      await new Promise(() => {})
    } catch (error) {
      if (!hasFailedWith(error) || canRetry(error)) throw error
      onOver(error)
    }
  })
}

export function ServicePageText() {
  const t = useText()
  return (
    <p>
      {t({
        pl: 'Kod z\u00a0portalu się zgadza. Potwierdź jeszcze podpis na stronie usługi, która przechowuje jego klucz. Strona otworzy się w\u00a0tej karcie, a\u00a0potem wrócisz tutaj.',
        en: 'Your portal code is correct. Now confirm on the signing service’s page. It opens in this tab, and then you’ll come back here.',
      })}
    </p>
  )
}

/** Shows the step as a part of a page, in the box next to the agreement. */
export function ServiceStep(props: Omit<FormProps, 'children' | 'className'> & { submit: ReactNode }) {
  const { authorisation, onOver, submit } = props
  const t = useText()
  const { run, isBusy, failureText } = useServicePage(authorisation, onOver)
  if (authorisation.kind === 'codes')
    return (
      <ServiceCodesForm {...props}>
        {(fields) => (
          <>
            {fields}
            {submit}
          </>
        )}
      </ServiceCodesForm>
    )
  return (
    <>
      <FailureNotice text={failureText} />
      <ServicePageText />
      <Button variant="primary" isWide isBusy={isBusy} onClick={run}>
        {t(serviceText.goThere)}
      </Button>
    </>
  )
}
