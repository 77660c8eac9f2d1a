import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react'
import type * as z from 'zod/mini'
import { failedWith } from '../calls/api.ts'
import { useLocale, useText } from '../app/locale.tsx'
import { Button } from './button.tsx'
import { followForm } from '../app/drafts.ts'
import { ErrorSummary, type SummaryLine } from './error-summary.tsx'
import { watchFields } from './field-watch.ts'
import {
  afterCheck,
  findProblems,
  placeFailure,
  summaryText,
  type FailurePlaces,
  type FieldErrors,
} from './form-rules.ts'
import { explainOnDemand, preloadFailureTexts } from '../text/failure-on-demand.ts'
import type { ExplainedFailure } from '../text/failure-answer.tsx'
import { controlNamed, namesOf, valuesOf } from './form-values.ts'
import { FormContext, BlockForm, useFormState } from './form-state.ts'
import { elementOf } from '../app/element-refs.ts'

export type FormProps<S extends z.ZodMiniType> = {
  schema: S
  /** Gets the checked values; an ApiError that it throws is shown by the form. */
  onSubmit: (values: z.output<S>) => Promise<unknown>
  failures?: FailurePlaces | undefined
  initial?: Record<string, string | boolean> | undefined
  /** Without a summary (a dialog with one field) the first wrong field is focused instead; a dialog inside shows its own. */
  summary?: boolean | 'in-dialog'
  className?: string
  children: ReactNode
}

/** A form of native fields and one schema, checked when a field is left or its value is committed (VAL-2). */
export function Form<S extends z.ZodMiniType>(props: FormProps<S>) {
  const { schema, onSubmit, failures = {}, initial = {}, summary = true, className = 'form', children } = props
  const form = useRef<HTMLFormElement>(null)
  const locale = useLocale()
  const [errors, setErrors] = useState<FieldErrors>({})
  const [lines, setLines] = useState<SummaryLine[]>([])
  const [sending, setSending] = useState(false)
  const [missingParts, setMissingParts] = useState(0)

  const check = useEffectEvent((names: ReadonlySet<string>) => {
    const found = findProblems(schema, valuesOf(elementOf(form)))
    setErrors((shown) => afterCheck(shown, names, found))
  })
  // A layout effect is cleaned up before its form is removed, so losing the focus then checks no field.
  useLayoutEffect(() => watchFields(elementOf(form), check), [])
  useEffect(() => followForm(elementOf(form)), [])
  useEffect(() => {
    // The message below the field in focus is there only now, and may be below the edge of its dialog.
    if (!summary) elementOf(form).querySelector('[aria-invalid=true]:focus')?.scrollIntoView({ block: 'nearest' })
  }, [errors, summary])

  function fail(found: FieldErrors, above?: ExplainedFailure) {
    setErrors(found)
    const names = [...namesOf(elementOf(form))].filter((name) => found[name])
    if (summary) {
      const label = (name: string) => controlNamed(elementOf(form), name)?.dataset['label']
      const own = names.map((name) => ({ name, text: summaryText(locale, found[name]!, label(name)) }))
      setLines(above ? [above, ...own] : own)
    }
    const current = elementOf(form).querySelector<HTMLInputElement>('[autocomplete=current-password]')
    if (above && current) {
      // A refused password is cleared, because the customer can only type it again (ux 8.1).
      current.value = ''
      current.focus()
    } else if (!summary && names[0]) focusField(controlNamed(elementOf(form), names[0]))
  }

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    // A dialog's form is inside the React tree of the page's form, and its events bubble through both.
    event.stopPropagation()
    if (sending) return
    const values = valuesOf(elementOf(form))
    const result = schema.safeParse(values)
    if (!result.success) return fail(findProblems(schema, values))
    setErrors({})
    setLines([])
    setSending(true)
    preloadFailureTexts()
    try {
      await onSubmit(result.data)
    } catch (error) {
      if (!failedWith(error)) throw error
      if (error.code === 'cancelled') return
      const explained = await explainOnDemand(locale, error)
      if (!form.current) return
      const placed = placeFailure(explained, error, failures, namesOf(form.current))
      fail(placed.errors, placed.above)
    } finally {
      setSending(false)
    }
  }

  const errorSummary = lines.length > 0 && <ErrorSummary lines={lines} form={form} />
  const inDialog = summary === 'in-dialog' && errorSummary
  return (
    // POST, so that a password is never in an address, even without script.
    <form ref={form} className={className} method="post" onSubmit={submit} noValidate>
      <FormContext value={{ errors, sending, waiting: missingParts > 0, initial, summary: inDialog }}>
        <BlockForm value={setMissingParts}>
          {!inDialog && errorSummary}
          {children}
        </BlockForm>
      </FormContext>
    </form>
  )
}

function focusField(field: HTMLElement | undefined) {
  field?.focus()
  if (field instanceof HTMLInputElement) field.select()
}

type SubmitProps = Omit<React.ComponentProps<typeof Button>, 'type' | 'busy'>

/**
 * The form's one primary button. It is inactive while a part of the form is still being read, and disabled until the page
 * is hydrated, as any button, so nothing is posted without script.
 */
export function Submit({ children, 'aria-disabled': atRest, ...button }: SubmitProps) {
  const { sending, waiting } = useFormState()
  return (
    <Button variant="primary" {...button} type="submit" busy={sending} aria-disabled={waiting || atRest}>
      {children}
    </Button>
  )
}

/** Leaves a dialog's form, or goes back to where its text says; inactive while the form is being sent. */
export function Cancel({ children, ...button }: Omit<SubmitProps, 'variant'>) {
  const t = useText()
  const { sending } = useFormState()
  return (
    <Button variant="quiet" {...button} aria-disabled={sending}>
      {children ?? t({ pl: 'Anuluj', en: 'Cancel' })}
    </Button>
  )
}
