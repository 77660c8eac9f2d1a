import { useEffect, useRef } from 'react'
import { canBeFixedByDocument, type RenewalReason } from '../../contract/rules/renewal-rules.ts'
import { requireElement } from '../app/element-refs.ts'
import { useText } from '../app/locale.tsx'
import { HelpLine } from '../app/support-line.tsx'
import { AnswerLink } from '../text/answer-link.tsx'
import { renewalReasonText } from '../text/renewal-text.ts'
import { Button } from '../ui/button.tsx'
import { useFormState } from '../ui/form-state.ts'
import { Notice } from '../ui/notice.tsx'
import { updateDocumentText } from './identity-document-form.ts'

type Props = {
  reason: RenewalReason
  /** New document details remove it. */
  canUpdate: boolean
  onUpdate: () => void
}

/** Shows why the renewal is stopped, in the same way in every step, and what the customer can do about it now (REN-6). */
export function StopReason({ reason, canUpdate, onUpdate }: Props) {
  const t = useText()
  const { what, advice } = renewalReasonText[reason]
  // Other advice is about choices, which are made in the first step.
  const isAdvised = canBeFixedByDocument(reason) || !canUpdate
  return (
    <Notice kind={canUpdate ? 'warning' : 'error'} className="block" title={t(what)}>
      <p>
        {isAdvised && t(advice)} <AnswerLink to="renewal-refused" />
      </p>
      <HelpLine />
      {canUpdate && (
        <p className="buttons">
          <Button variant="primary" size="s" icon="edit" aria-haspopup="dialog" onClick={onUpdate}>
            {t(updateDocumentText)}
          </Button>
        </p>
      )}
    </Notice>
  )
}

type FormErrorsProps = {
  /** The button that leaves the step would refuse what is entered. */
  isRefused?: boolean
  onErrors: (has: boolean) => void
}

/** Reports whether the form around it is refused, or shows an error at a field: then the stepper does not lead on (UIX-3). */
export function FormErrors({ isRefused = false, onErrors }: FormErrorsProps) {
  useFormState()
  const here = useRef<HTMLSpanElement>(null)
  // After each rendering: a field with an error may also have been removed.
  useEffect(() => onErrors(isRefused || !!requireElement(here).closest('form')?.querySelector('[aria-invalid=true]')))
  useEffect(() => () => onErrors(false), [onErrors])
  return <span ref={here} hidden />
}
