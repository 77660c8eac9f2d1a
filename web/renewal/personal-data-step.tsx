import { useState } from 'react'
import { useNavigate } from 'react-router'
import * as z from 'zod/mini'
import type { FieldProblem } from '../../contract/errors.ts'
import { confirmPersonalData, type Renewal, acceptShortening } from '../../contract/renewal.ts'
import { canBeFixedByDocument, judgeChoice, type Validity } from '../../contract/rules/renewal-rules.ts'
import { useText } from '../app/locale.tsx'
import { call } from '../calls/api.ts'
import { formatDate } from '../text/format.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { CertificateDifferences } from './certificate-differences.tsx'
import { IdentityDocumentDialog } from './identity-document-dialog.tsx'
import './renewal.css'
import { updateDocumentText } from './identity-document-form.ts'
import { IdentityNotice } from './identity-notice.tsx'
import { PersonalDataGroups } from './personal-data-groups.tsx'
import { useRenewalCall, useMoveAction } from './renewal-move.ts'
import { BackToSignatures, nextButton, StepButtons, StepHeading } from './step-buttons.tsx'
import { StopReason, FormErrors } from './stop-reason.tsx'

type Props = { renewal: Renewal; onChanged: (renewal: Renewal) => void; onErrors: (has: boolean) => void }

const ConfirmForm = z.strictObject({ confirmed: z.literal(true, 'data-unconfirmed' satisfies FieldProblem) })

const texts = {
  confirm: { pl: 'Potwierdź swoje dane', en: 'Confirm your details' },
  asked: { pl: 'Sprawdzamy Twoje dane', en: 'We’re checking your details' },
  update: { pl: 'Popraw dane, aby odnowić podpis', en: 'Update your details to renew' },
  impossible: { pl: 'Tego podpisu nie można odnowić', en: 'You can’t renew this signature' },
  where: {
    pl: 'Znajdą się w\u00a0umowie i\u00a0w\u00a0nowym certyfikacie.',
    en: 'They’ll be in the agreement and in the new certificate.',
  },
}

/** Shows step 2 (REN-3): the data of the certificate's holder, confirmed by one tick; obstacles are shown first. */
export function PersonalDataStep({ renewal, onChanged, onErrors }: Props) {
  const t = useText()
  const move = useRenewalCall()
  const navigate = useNavigate()
  const [isEditing, setIsEditing] = useState(false)
  const { uid, state, version, stops, identityCheck } = renewal
  const edit = () => setIsEditing(true)
  const back = () => void navigate('?step=1')
  const judged = evaluateFixedChoice(renewal)
  const isAsked = identityCheck?.state === 'asked'
  const [stop] = stops
  const needsConsent = !stop && judged && !judged.ok && judged.reason === 'SHORTENED_VALIDITY_NEEDS_CONSENT'
  const reason = stop ?? (judged && !judged.ok && !needsConsent ? judged.reason : undefined)
  const isUpdatable = !!reason && (canBeFixedByDocument(reason) || !stop)

  const confirm = async () =>
    onChanged(await move(() => call(confirmPersonalData, { params: { uid }, body: { expected: { state, version } } })))

  return (
    <div className="wizard wizard--wide">
      <div>
        <StepHeading
          step={2}
          title={isAsked ? texts.asked : !reason ? texts.confirm : isUpdatable ? texts.update : texts.impossible}
          {...(!isAsked && !reason && { lede: texts.where })}
        />
        <IdentityNotice renewal={renewal} {...(!reason && { onEnter: edit })} />
        {reason && !isAsked && <StopReason reason={reason} canUpdate={isUpdatable} onUpdate={edit} />}
        <CertificateDifferences renewal={renewal} />
        <PersonalDataGroups renewal={renewal} onEditDocument={edit} />
        {needsConsent && (
          <ShorterEnd renewal={renewal} validity={judged.validity} onChanged={onChanged} onEditDocument={edit} />
        )}
        {canConfirm(renewal) ? (
          <Form
            schema={ConfirmForm}
            onSubmit={confirm}
            failures={{ other: 'confirmed' }}
            summary={false}
            className="form block"
          >
            <FormErrors onErrors={onErrors} />
            <Checkbox name="confirmed">
              {t({
                pl: 'Potwierdzam, że te dane są prawdziwe i\u00a0aktualne.',
                en: 'I confirm that these details are true and up to date.',
              })}
            </Checkbox>
            <StepButtons className="wizard__act wizard__act--form" onBack={back}>
              <Submit id={nextButton} variant={identityCheck?.state === 'refused' ? 'secondary' : 'primary'}>
                {t({ pl: 'Potwierdź dane', en: 'Confirm details' })}
              </Submit>
            </StepButtons>
          </Form>
        ) : (
          <StepButtons className="wizard__act wizard__act--form" onBack={back}>
            {isAsked && <BackToSignatures />}
          </StepButtons>
        )}
      </div>
      {isEditing && (
        <IdentityDocumentDialog renewal={renewal} onChanged={onChanged} onClose={() => setIsEditing(false)} />
      )}
    </div>
  )
}

export const canConfirm = (renewal: Renewal) =>
  !renewal.stops.length && renewal.identityCheck?.state !== 'asked' && evaluateFixedChoice(renewal)?.ok !== false

/** Judges the fixed parameters with the current document; the server decides with the same functions (R61). */
function evaluateFixedChoice({ parameters, certificate, person, shortenedTo, now }: Renewal) {
  if (!person.document) return undefined
  return judgeChoice(
    parameters,
    { validTo: new Date(certificate.validTo), status: certificate.status, identifier: certificate.identifier },
    person.document.validTo,
    { now: new Date(now), acceptedTo: shortenedTo === null ? null : new Date(shortenedTo) },
  )
}

type ShorterEndProps = {
  renewal: Renewal
  validity: Validity
  onChanged: (renewal: Renewal) => void
  onEditDocument: () => void
}

/** Asks the customer to confirm an earlier end of the certificate again, which new details of the document have changed (REN-4). */
function ShorterEnd({ renewal, validity: { to, fullTo }, onChanged, onEditDocument }: ShorterEndProps) {
  const { uid, state, version } = renewal
  const t = useText()
  const [end, full] = [formatDate(t.locale, to), formatDate(t.locale, fullTo)]

  const body = { expected: { state, version }, shortenedTo: to.toISOString() }
  const { run, isBusy, failureText } = useMoveAction(() => call(acceptShortening, { params: { uid }, body }), onChanged)

  return (
    <Notice
      kind="warning"
      className="block"
      title={t({ pl: 'Certyfikat będzie ważny krócej', en: 'The certificate will expire early' })}
    >
      <p>
        {t({
          pl: `Wygaśnie razem z\u00a0dokumentem tożsamości: ${end} zamiast ${full}.`,
          en: `It will expire with your identity document: on ${end} instead of ${full}.`,
        })}
      </p>
      <p className="buttons">
        <Button variant="primary" isBusy={isBusy} busyText={t({ pl: 'Zapisujemy…', en: 'Saving…' })} onClick={run}>
          {t({ pl: `Akceptuję ważność do ${end}`, en: `Accept validity until ${end}` })}
        </Button>
        <Button disabled={isBusy} aria-haspopup="dialog" onClick={onEditDocument}>
          {t(updateDocumentText)}
        </Button>
      </p>
      <p role="alert">{failureText}</p>
    </Notice>
  )
}
