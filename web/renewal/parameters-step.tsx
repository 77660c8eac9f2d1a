import { useRef, useState } from 'react'
import { pages } from '../../contract/pages.ts'
import type { Renewal } from '../../contract/renewal.ts'
import { canBeFixedByDocument } from '../../contract/rules/renewal-rules.ts'
import { useText } from '../app/locale.tsx'
import { BuyLink } from '../certificates/buy-link.tsx'
import { AnswerLink } from '../text/answer-link.tsx'
import { identifierText } from '../text/identifier-text.ts'
import { renewalReasonText } from '../text/renewal-text.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { ChoiceDialog } from '../ui/confirm-dialog.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { CertificateDifferences } from './certificate-differences.tsx'
import { CertificatePreview } from './certificate-preview.tsx'
import { issuanceObstacleOf, evaluateChoice, adviceOn } from './chosen-parameters.ts'
import { IdentityDocumentDialog } from './identity-document-dialog.tsx'
import { updateDocumentText } from './identity-document-form.ts'
import { IdentityNotice } from './identity-notice.tsx'
import { useParametersEntry } from './parameters-entry.ts'
import { ParametersFields } from './parameters-fields.tsx'
import { ParametersNotes } from './parameters-notes.tsx'
import { ShortenedValidityDialog } from './shortened-validity-dialog.tsx'
import { SigningObstacle, useSigningReadiness } from './signing-obstacle.tsx'
import { BackToSignatures, nextButton, StepButtons, StepHeading } from './step-buttons.tsx'
import { StopReason, FormErrors } from './stop-reason.tsx'

type Props = { renewal: Renewal; onChanged: (renewal: Renewal) => void; onErrors: (has: boolean) => void }

/** Shows the choices for the new certificate with a preview next to them, or why there is nothing to choose (REN-2). */
export const ParametersStep = (props: Props) =>
  props.renewal.stops.length ? <StoppedStep {...props} /> : <ParametersForm {...props} />

/** Shows why the renewal is not possible with any choice, until when, and what to do (REN-6). */
function StoppedStep({ renewal, onChanged }: Props) {
  const t = useText()
  const [isEditing, setIsEditing] = useState(false)
  const edit = () => setIsEditing(true)
  const isChecking = renewal.identityCheck?.state === 'asked'
  const isCurable = renewal.stops.every(canBeFixedByDocument)
  return (
    <div className="wizard wizard--plain">
      <div>
        <StepHeading
          step={1}
          title={
            isCurable
              ? { pl: 'Najpierw zaktualizuj dane dokumentu', en: 'Update your document details first' }
              : { pl: 'Tego podpisu nie można odnowić', en: 'You can’t renew this signature' }
          }
        />
        <IdentityNotice renewal={renewal} />
        {!isChecking && <StopReason reason={renewal.stops[0]!} canUpdate={isCurable} onUpdate={edit} />}
        <CertificateDifferences renewal={renewal} />
        <div className="buttons block">
          {!isCurable ? (
            <BuyLink product="newSignature" variant="primary" />
          ) : (
            isChecking && (
              <Button aria-haspopup="dialog" onClick={edit}>
                {t(updateDocumentText)}
              </Button>
            )
          )}
          <BackToSignatures variant="quiet" />
        </div>
        {isEditing && (
          <IdentityDocumentDialog renewal={renewal} onChanged={onChanged} onClose={() => setIsEditing(false)} />
        )}
      </div>
    </div>
  )
}

function ParametersForm({ renewal, onChanged, onErrors }: Props) {
  const t = useText()
  const container = useRef<HTMLDivElement>(null)
  const entry = useParametersEntry(renewal, onChanged, container)
  const { values, choice, setDialog } = entry
  const readiness = useSigningReadiness(renewal.uid)
  const isBlocked = !!readiness.data?.obstacle
  // What changes the choice comes first then, not the button that would refuse it.
  const isUnissuable = !!issuanceObstacleOf(evaluateChoice(renewal, choice, new Date(renewal.now)))
  return (
    <div ref={container}>
      <Form schema={entry.schema} onSubmit={entry.submit} initial={entry.initial} className="wizard">
        <div className="wizard__form">
          <StepHeading
            step={1}
            title={{ pl: 'Wybierz ustawienia certyfikatu', en: 'Choose your certificate options' }}
          />
          <IdentityNotice renewal={renewal} onEnter={() => setDialog('document')} />
          <SigningObstacle readiness={readiness}>
            {t({
              pl: 'Kod odnowienia nie został użyty. Ustawienia możesz wybrać już teraz: zapiszemy je, a\u00a0przejdziesz dalej później.',
              en: 'Your code hasn’t been used. You can choose the options now: we’ll save them, and you can continue later.',
            })}
          </SigningObstacle>
          <input type="hidden" name="identifier" value={choice.identifier} />
          <FormErrors isRefused={!entry.isValid || isUnissuable || isBlocked} onErrors={onErrors} />
          <ParametersFields renewal={renewal} values={values}>
            <ParametersNotes
              renewal={renewal}
              choice={choice}
              onChangeIdentifier={() => setDialog('identifier')}
              onKeepIdentifier={() => entry.identify('same')}
              onNewDocument={() => setDialog('document')}
            />
          </ParametersFields>
        </div>
        <CertificatePreview
          renewal={renewal}
          chosen={{
            ...choice,
            company: values['certificateType'] === 'company' ? String(values['company'] ?? '') : null,
          }}
          startsOnChosenDay={values['start'] === 'chosen-day'}
        />
        <ParametersEnd renewal={renewal} entry={entry} isBlocked={isBlocked} isHindered={isUnissuable} />
      </Form>
      <ParametersDialog renewal={renewal} entry={entry} onChanged={onChanged} />
    </div>
  )
}

type Entry = ReturnType<typeof useParametersEntry>

type EndProps = {
  renewal: Renewal
  entry: Entry
  /** Whether no agreement can be signed now. */
  isBlocked: boolean
  /** Whether nothing can be issued with the choice. */
  isHindered: boolean
}

/** Shows the end of the form: the consequence of continuing, the reason for a refusal, and the buttons. */
function ParametersEnd({ renewal, entry: { refused, choice, hasFailed }, isBlocked, isHindered }: EndProps) {
  const t = useText()
  const refusal =
    refused &&
    (refused === 'CODE_GONE'
      ? codeGone
      : { what: renewalReasonText[refused].what, advice: adviceOn(refused, renewal, choice) })
  return (
    <div className="wizard__end">
      {!isBlocked && !isHindered && (
        <Notice kind="warning" title={t({ pl: 'To ostatnia chwila na zmiany', en: 'Last chance to make changes' })}>
          {t({
            pl: 'Gdy przejdziesz dalej, wykorzystasz kod odnowienia. Te ustawienia zobaczysz potem, ale już ich nie zmienisz.',
            en: 'Continuing uses up your renewal code. You can look at these options later, but not change them.',
          })}
        </Notice>
      )}
      {refusal && (
        <Notice kind="error" role="alert" className="block" title={t(refusal.what)}>
          <p>
            {t(refusal.advice)} <AnswerLink to="renewal-refused" />
          </p>
        </Notice>
      )}
      {hasFailed && (
        <Notice kind="warning" role="status" className="block">
          {t({
            pl: 'Nie udało się zapisać wpisanych danych. Spróbujemy ponownie przy następnej zmianie.',
            en: 'We couldn’t save your answers. We’ll try again at your next change.',
          })}
        </Notice>
      )}
      {isBlocked ? (
        <div className="wizard__act">
          {/* What was chosen is saved already. */}
          <ButtonLink to={pages.signatures.path}>{t({ pl: 'Zapisz i\u00a0wyjdź', en: 'Save and leave' })}</ButtonLink>
        </div>
      ) : (
        <StepButtons>
          <Submit id={nextButton} variant={isHindered ? 'secondary' : 'primary'}>
            {t({ pl: 'Dalej: dane osobowe', en: 'Next: personal details' })}
          </Submit>
        </StepButtons>
      )}
    </div>
  )
}

type DialogProps = Omit<Props, 'onErrors'> & { entry: Entry }

function ParametersDialog({ renewal, onChanged, entry: { dialog, setDialog, identify, complete } }: DialogProps) {
  const close = () => setDialog(undefined)
  if (!dialog) return null
  if (dialog === 'identifier')
    return <ChangeIdentifierDialog renewal={renewal} onConfirm={() => identify('pesel')} onClose={close} />
  if (dialog === 'document') return <IdentityDocumentDialog renewal={renewal} onChanged={onChanged} onClose={close} />
  const { parameters, validity } = dialog
  return (
    <ShortenedValidityDialog
      renewal={renewal}
      validity={validity}
      years={parameters.years}
      onAccept={() => complete(parameters, validity.to.toISOString())}
      onChangeIdentifier={() => setDialog('identifier')}
      onClose={close}
    />
  )
}

type IdentifierProps = { renewal: Renewal; onConfirm: () => void; onClose: () => void }

/**
 * Asks whether to change the identifier to the personal number, which outlasts the document but is seen by every recipient of a signature
 * (REN-4).
 */
function ChangeIdentifierDialog({ renewal, onConfirm, onClose }: IdentifierProps) {
  const t = useText()
  const before = identifierText(renewal.certificate.identifier)
  return (
    <ChoiceDialog
      role="dialog"
      initialFocus="title"
      title={t({ pl: 'Zmienić identyfikator na PESEL?', en: 'Change the identifier to PESEL?' })}
      cancel={t({ pl: 'Anuluj', en: 'Cancel' })}
      confirm={t({ pl: 'Zmień na PESEL', en: 'Change to PESEL' })}
      onCancel={onClose}
      onConfirm={onConfirm}
    >
      <p>
        {t({
          pl: `Identyfikatorem w\u00a0nowym certyfikacie będzie PESEL, a\u00a0nie ${before.pl}. Data ważności dokumentu nie skróci wtedy ważności certyfikatu.`,
          en: `Your identifier in the new certificate will be your PESEL, not the ${before.en}. The document’s expiry date won’t shorten the certificate’s validity then.`,
        })}
      </p>
      <p>
        {t({
          pl: 'PESEL zobaczy każdy, kto sprawdzi Twój podpis. Sprawdź też, czy nikt nie wymaga, aby Twój podpis zawierał dotychczasowy identyfikator.',
          en: 'Everyone who checks your signature will see your PESEL. Also make sure that nobody needs your signature to show your current identifier.',
        })}
      </p>
    </ChoiceDialog>
  )
}

const codeGone = {
  what: { pl: 'Kodu odnowienia nie można już użyć.', en: 'You can’t use this renewal code any more.' },
  advice: {
    pl: 'Wygasł albo został użyty gdzie indziej. Wróć do listy podpisów i\u00a0zacznij z\u00a0innym kodem.',
    en: 'It has expired or was used elsewhere. Go back to the list of signatures and start with another code.',
  },
}
