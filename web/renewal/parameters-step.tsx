import { useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  fixParameters,
  type Renewal,
  type RenewalParameters,
  saveParameters,
  type Expected,
} from '../../contract/renewal.ts'
import { isCurable, type RenewalReason, type Validity } from '../../contract/rules/renewal-rules.ts'
import { ApiError, call, failedWith, onFailure } from '../api.ts'
import { pages } from '../../contract/pages.ts'
import { useText } from '../locale.tsx'
import { invalidate } from '../reads.ts'
import { readRenewal, readSigningReadiness } from '../../contract/renewal.ts'
import { AnswerLink } from '../text/answer-link.tsx'
import { renewalReasonOf, renewalReasonText } from '../text/renewal-text.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { namesOf, valuesOf } from '../form-values.ts'
import { Notice } from '../ui/notice.tsx'
import { CertificatePreview } from './certificate-preview.tsx'
import { adviceOn } from './choice-advice.ts'
import { ChangeIdentifierDialog } from './change-identifier-dialog.tsx'
import { choiceOf, hindranceOf, initialOf, judgeHere, parametersForm } from './chosen-parameters.ts'
import { IdentityDocumentDialog } from './identity-document-dialog.tsx'
import { IdentityNotice } from './identity-notice.tsx'
import { ParametersFields } from './parameters-fields.tsx'
import { ParametersNotes } from './parameters-notes.tsx'
import { FormErrors } from './form-errors.tsx'
import { ShortenedValidityDialog } from './shortened-validity-dialog.tsx'
import { SigningObstacle, useSigningReadiness } from './signing-obstacle.tsx'
import { nextButton, StepButtons } from './step-buttons.tsx'
import { StepHeading } from './step-heading.tsx'
import { StopsNotice } from './stops-notice.tsx'
import { elementOf } from '../element.ts'
import { useMove } from './renewal-move.ts'

type Props = { renewal: Renewal; onChanged: (renewal: Renewal) => void; onErrors: (has: boolean) => void }

/** REN-2: the choices for the new certificate, with a preview next to them. */
export function ParametersStep(props: Props) {
  const { renewal } = props
  if (!renewal.stops.length) return <ParametersForm {...props} />
  return (
    <div className="wiz wiz--plain">
      <div>
        <StepHeading
          step={1}
          title={
            renewal.stops.every(isCurable)
              ? { pl: 'Najpierw zaktualizuj dane dokumentu', en: 'Update your document details first' }
              : { pl: 'Tego podpisu nie można odnowić', en: 'You can’t renew this signature' }
          }
        />
        <StopsNotice {...props} />
      </div>
    </div>
  )
}

/**
 * Keeps step 1 on the server as it is entered, for a reload or another browser (REN-1). Calls go out one after the
 * other, because each makes the version that the next one names.
 */
function useSavedParameters(renewal: Renewal, onChanged: (renewal: Renewal) => void) {
  const move = useMove()
  const latest = useRef(renewal)
  useEffect(() => void (latest.current = renewal), [renewal])
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const [failed, setFailed] = useState(false)

  function inTurn(request: (expected: Expected) => Promise<Renewal>): Promise<void> {
    const mine = queue.current.then(async () => {
      const { state, version } = latest.current
      latest.current = await move(() => request({ state, version }))
      onChanged(latest.current)
    })
    queue.current = mine.catch(() => undefined)
    return mine
  }

  /** A failure here is shown, and happens again when the step is left. */
  const save = (parameters: RenewalParameters) =>
    inTurn((expected) => call(saveParameters, { params: { uid: renewal.uid }, body: { expected, parameters } })).then(
      () => setFailed(false),
      onFailure([], ({ code }) => setFailed(code !== 'cancelled')),
    )

  return { inTurn, save, failed }
}

function ParametersForm({ renewal, onChanged, onErrors }: Props) {
  const t = useText()
  const now = new Date(renewal.now)
  const container = useRef<HTMLDivElement>(null)
  const { saved, parameters: known } = renewal
  const [initial] = useState(() => initialOf(saved ? known : { ...known, language: t.locale }))
  const [values, setValues] = useState<Record<string, string | boolean>>(initial)
  const [identifier, setIdentifier] = useState(renewal.parameters.identifier)
  const [changing, setChanging] = useState(false)
  const [documenting, setDocumenting] = useState(false)
  const [consent, setConsent] = useState<{ parameters: RenewalParameters; validity: Validity }>()
  const [isValid, setIsValid] = useState(true)
  const [refused, setRefused] = useState<RenewalReason | 'CODE_GONE'>()
  const { inTurn, save, failed } = useSavedParameters(renewal, onChanged)
  const readiness = useSigningReadiness(renewal.uid)
  const obstacle = readiness.data?.obstacle
  const schema = parametersForm(renewal, t.locale)

  const formHere = () => elementOf(container).querySelector('form')!
  const read = () => valuesOf(formHere())
  const keep = (entered: Record<string, string | boolean>) => {
    const parsed = schema.safeParse(entered)
    if (parsed.success) void save(parsed.data)
  }
  const follow = useEffectEvent((committed: boolean) => {
    const entered = read()
    const present = namesOf(formHere())
    // A hidden field keeps its last value; a visible empty one is empty.
    setValues((before) => ({
      ...Object.fromEntries(Object.entries(before).filter(([name]) => !present.has(name))),
      ...entered,
    }))
    setIsValid(schema.safeParse(entered).success)
    setRefused(undefined)
    if (committed) keep(entered)
  })
  useEffect(() => {
    const form = formHere()
    const typed = () => follow(false)
    const chosen = () => follow(true)
    form.addEventListener('input', typed)
    form.addEventListener('change', chosen)
    // A draft may have been restored before this.
    follow(false)
    return () => {
      form.removeEventListener('input', typed)
      form.removeEventListener('change', chosen)
    }
  }, [])

  // The pressed link is gone, and the one that reverts it is in its position.
  const identified = useRef(identifier)
  useEffect(() => {
    if (identified.current !== identifier && document.activeElement === document.body)
      container.current?.querySelector<HTMLElement>('.wiz__notes button')?.focus()
    identified.current = identifier
  }, [identifier])

  function identify(by: RenewalParameters['identifier']) {
    setIdentifier(by)
    setChanging(false)
    setConsent(undefined)
    setRefused(undefined)
    keep({ ...read(), identifier: by })
  }

  async function fix(parameters: RenewalParameters, shortenedTo: string | null) {
    const params = { uid: renewal.uid }
    try {
      await inTurn((expected) => call(fixParameters, { params, body: { expected, parameters, shortenedTo } }))
    } catch (error) {
      if (!failedWith(error, 'renewal-refused', 'voucher-refused')) throw error
      setConsent(undefined)
      setRefused(renewalReasonOf(error) ?? 'CODE_GONE')
      // The reasons against it may have changed since this page was read.
      await invalidate(readRenewal, readSigningReadiness)
      throw new ApiError('cancelled')
    }
  }

  async function submit(parameters: RenewalParameters) {
    const judged = judgeHere(renewal, parameters, now)
    if (judged.ok) await fix(parameters, null)
    else if (judged.reason === 'SHORTENED_VALIDITY_NEEDS_CONSENT') setConsent({ parameters, validity: judged.validity })
    else setRefused(judged.reason)
  }

  const choice = choiceOf({ ...values, identifier })
  // What changes the choice comes first then, not the button that would refuse it.
  const isHindered = !!hindranceOf(judgeHere(renewal, choice, now))
  const refusal =
    refused &&
    (refused === 'CODE_GONE'
      ? codeGone
      : { what: renewalReasonText[refused].what, advice: adviceOn(refused, renewal, choice) })
  return (
    <div ref={container}>
      <Form schema={schema} onSubmit={submit} initial={initial} className="wiz">
        <div className="wiz__form">
          <StepHeading
            step={1}
            title={{ pl: 'Wybierz ustawienia certyfikatu', en: 'Choose your certificate options' }}
          />
          <IdentityNotice renewal={renewal} onEnter={() => setDocumenting(true)} />
          <SigningObstacle readiness={readiness}>
            {t({
              pl: 'Kod odnowienia nie został użyty. Ustawienia możesz wybrać już teraz: zapiszemy je, a\u00a0przejdziesz dalej później.',
              en: 'Your code hasn’t been used. You can choose the options now: we’ll save them, and you can continue later.',
            })}
          </SigningObstacle>
          <input type="hidden" name="identifier" value={identifier} />
          <FormErrors isRefused={!isValid || isHindered || !!obstacle} onErrors={onErrors} />
          <ParametersFields renewal={renewal} values={values}>
            <ParametersNotes
              renewal={renewal}
              choice={choice}
              onChangeIdentifier={() => setChanging(true)}
              onKeepIdentifier={() => identify('same')}
              onNewDocument={() => setDocumenting(true)}
            />
          </ParametersFields>
        </div>
        <CertificatePreview
          renewal={renewal}
          chosen={{
            ...choice,
            company: values['certificateType'] === 'company' ? String(values['company'] ?? '') : null,
          }}
          onChosenDay={values['start'] === 'chosen-day'}
        />
        <div className="wiz__end">
          {!obstacle && !isHindered && (
            <Notice kind="warn" title={t({ pl: 'To ostatnia chwila na zmiany', en: 'Last chance to make changes' })}>
              {t({
                pl: 'Gdy przejdziesz dalej, wykorzystasz kod odnowienia. Te ustawienia zobaczysz potem, ale już ich nie zmienisz.',
                en: 'Continuing uses up your renewal code. You can look at these options later, but not change them.',
              })}
            </Notice>
          )}
          {refusal && (
            <Notice kind="err" role="alert" className="blk" title={t(refusal.what)}>
              <p>
                {t(refusal.advice)} <AnswerLink to="renewal-refused" />
              </p>
            </Notice>
          )}
          {failed && (
            <Notice kind="warn" role="status" className="blk">
              {t({
                pl: 'Nie udało się zapisać wpisanych danych. Spróbujemy ponownie przy następnej zmianie.',
                en: 'We couldn’t save your answers. We’ll try again at your next change.',
              })}
            </Notice>
          )}
          {obstacle ? (
            <div className="wiz__act">
              {/* What was chosen is saved already. */}
              <ButtonLink to={pages.signatures.path}>
                {t({ pl: 'Zapisz i\u00a0wyjdź', en: 'Save and leave' })}
              </ButtonLink>
            </div>
          ) : (
            <StepButtons>
              <Submit id={nextButton} variant={isHindered ? 'secondary' : 'primary'}>
                {t({ pl: 'Dalej: dane osobowe', en: 'Next: personal details' })}
              </Submit>
            </StepButtons>
          )}
        </div>
      </Form>
      {changing && (
        <ChangeIdentifierDialog
          renewal={renewal}
          onConfirm={() => identify('pesel')}
          onClose={() => setChanging(false)}
        />
      )}
      {documenting && (
        <IdentityDocumentDialog renewal={renewal} onChanged={onChanged} onClose={() => setDocumenting(false)} />
      )}
      {consent && (
        <ShortenedValidityDialog
          renewal={renewal}
          validity={consent.validity}
          years={consent.parameters.years}
          onAccept={() => fix(consent.parameters, consent.validity.to.toISOString())}
          onChangeIdentifier={() => {
            setConsent(undefined)
            setChanging(true)
          }}
          onClose={() => setConsent(undefined)}
        />
      )}
    </div>
  )
}

const codeGone = {
  what: { pl: 'Kodu odnowienia nie można już użyć.', en: 'You can’t use this renewal code any more.' },
  advice: {
    pl: 'Wygasł albo został użyty gdzie indziej. Wróć do listy podpisów i\u00a0zacznij z\u00a0innym kodem.',
    en: 'It has expired or was used elsewhere. Go back to the list of signatures and start with another code.',
  },
}
