import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  type SubmitEvent,
  type RefObject,
} from 'react'
import type * as z from 'zod/mini'
import { limits } from '../../contract/limits.ts'
import { followForm } from '../app/drafts.ts'
import { requireElement } from '../app/element-refs.ts'
import { controlNamed, namesOf, valuesOf } from '../app/form-values.ts'
import { useLocale, useText } from '../app/locale.tsx'
import { setTitlePrefix } from '../app/page-title.ts'
import { Icon } from '../art/icons.tsx'
import { hasFailedWith } from '../calls/api.ts'
import type { ExplainedFailure } from '../text/failure-answer.tsx'
import { explainOnDemand, preloadFailureTexts } from '../text/failure-on-demand.ts'
import { plural } from '../text/format.ts'
import { Button } from './button.tsx'
import {
  afterCheck,
  findProblems,
  placeFailure,
  summaryText,
  type FailurePlaces,
  type FieldErrors,
} from './form-rules.ts'
import { FormContext, BlockForm, useFormState } from './form-state.ts'

export type FormProps<S extends z.ZodMiniType> = {
  schema: S
  /** Gets the checked values; an ApiError that it throws is shown by the form. */
  onSubmit: (values: z.output<S>) => Promise<unknown>
  failures?: FailurePlaces | undefined
  initial?: Record<string, string | boolean> | undefined
  /**
   * Whether a summary of the errors is shown. Without one (a dialog with one field) the first wrong field is focused instead; `in-dialog`:
   * the dialog inside the form shows it.
   */
  summary?: boolean | 'in-dialog'
  className?: string
  children: ReactNode
}

type SummaryLine = { name?: string; text: string; answer?: ReactNode }

/** Shows the errors above the form; takes the focus when it appears, and its lines link to the fields. */
function ErrorSummary({ lines, form }: { lines: SummaryLine[]; form: RefObject<HTMLFormElement | null> }) {
  const t = useText()
  const heading = useRef<HTMLHeadingElement>(null)

  useEffect(() => {
    // A form that asks for the password again has focused that field, and the alert is announced nevertheless.
    if (!form.current?.contains(document.activeElement) || document.activeElement?.matches('[type=submit]'))
      heading.current?.focus()
    setTitlePrefix('error', t({ pl: 'Błąd: ', en: 'Error: ' }))
    return () => setTitlePrefix('error', undefined)
  }, [lines, form, t])

  const fields = lines.filter(({ name }) => name).length
  return (
    <div className="error-summary" role="alert">
      <h2 ref={heading} tabIndex={-1}>
        <Icon name="alert" />
        {fields ? t(fieldsToCorrect(fields)) : lines[0]?.text}
      </h2>
      {lines[0]?.answer}
      {fields > 0 && (
        <ul>
          {lines.map(({ name, text }) => (
            <li key={name ?? ''}>
              {name ? (
                <button
                  type="button"
                  className="error-summary__link"
                  onClick={() => controlNamed(requireElement(form), name)?.focus()}
                >
                  {text}
                </button>
              ) : (
                text
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const fieldsToCorrect = (count: number) => ({
  pl: `Popraw ${count}\u00a0${plural('pl', count, { one: 'pole', few: 'pola', many: 'pól', other: 'pola' })}`,
  en: `Correct ${count} ${plural('en', count, { one: 'field', other: 'fields' })}`,
})

/**
 * Reports which fields were left or committed, 5 ms later (VAL-2). It listens to the native `focusout` and `change`, because
 * React's onChange is the `input` event, which the specification rules out.
 * Reports nothing while a pointer is down, so that no message moves a control away from it; and nothing at all when the
 * pointer goes to a link or to a button that does not submit, because a customer who leaves needs no error.
 */
function watchFields(form: HTMLFormElement, check: (names: ReadonlySet<string>) => void) {
  const stop = new AbortController()
  const { signal } = stop
  const left = new Set<string>()
  let pressed: Element | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const checkLater = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (pressed || !left.size) return
      const names = new Set(left)
      left.clear()
      check(names)
    }, limits.validationDelayMs)
  }
  const note = (event: Event) => {
    const name = event.target instanceof Element && 'name' in event.target ? String(event.target.name) : ''
    if (!name || leadsAway(pressed) || !document.hasFocus()) return
    left.add(name)
    checkLater()
  }
  const press = (event: PointerEvent) => {
    pressed = event.target instanceof Element ? event.target : undefined
  }
  const release = () => {
    pressed = undefined
    checkLater()
  }

  form.addEventListener('focusout', note, { signal })
  form.addEventListener('change', note, { signal })
  document.addEventListener('pointerdown', press, { signal, capture: true })
  document.addEventListener('pointerup', release, { signal, capture: true })
  document.addEventListener('pointercancel', release, { signal, capture: true })
  return () => {
    clearTimeout(timer)
    stop.abort()
  }
}

const leadsAway = (target: Element | undefined) => !!target?.closest('a, button:not([type=submit])')

/** Shows a form of native fields with one schema, checked when a field is left or its value is committed (VAL-2). */
export function Form<S extends z.ZodMiniType>(props: FormProps<S>) {
  const { schema, onSubmit, failures = {}, initial = {}, summary = true, className = 'form', children } = props
  const form = useRef<HTMLFormElement>(null)
  const locale = useLocale()
  const [errors, setErrors] = useState<FieldErrors>({})
  const [lines, setLines] = useState<SummaryLine[]>([])
  const [isSending, setIsSending] = useState(false)
  const [missingParts, setMissingParts] = useState(0)

  const check = useEffectEvent((names: ReadonlySet<string>) => {
    const found = findProblems(schema, valuesOf(requireElement(form)))
    setErrors((shown) => afterCheck(shown, names, found))
  })
  // A layout effect is cleaned up before its form is removed, so losing the focus then checks no field.
  useLayoutEffect(() => watchFields(requireElement(form), check), [])
  useEffect(() => followForm(requireElement(form)), [])
  useEffect(() => {
    // The message below the field in focus is there only now, and may be below the edge of its dialog.
    if (!summary) requireElement(form).querySelector('[aria-invalid=true]:focus')?.scrollIntoView({ block: 'nearest' })
  }, [errors, summary])

  function fail(found: FieldErrors, above?: ExplainedFailure) {
    setErrors(found)
    const names = [...namesOf(requireElement(form))].filter((name) => found[name])
    if (summary) {
      const label = (name: string) => controlNamed(requireElement(form), name)?.dataset['label']
      const own = names.map((name) => ({ name, text: summaryText(locale, found[name]!, label(name)) }))
      setLines(above ? [above, ...own] : own)
    }
    const current = requireElement(form).querySelector<HTMLInputElement>('[autocomplete=current-password]')
    if (above && current) {
      // A refused password is cleared, because the customer can only type it again.
      current.value = ''
      current.focus()
    } else if (!summary && names[0]) focusField(controlNamed(requireElement(form), names[0]))
  }

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    // A dialog's form is inside the React tree of the page's form, and its events bubble through both.
    event.stopPropagation()
    if (isSending) return
    const values = valuesOf(requireElement(form))
    const result = schema.safeParse(values)
    if (!result.success) return fail(findProblems(schema, values))
    setErrors({})
    setLines([])
    setIsSending(true)
    preloadFailureTexts()
    try {
      await onSubmit(result.data)
    } catch (error) {
      if (!hasFailedWith(error)) throw error
      if (error.code === 'canceled') return
      const explained = await explainOnDemand(locale, error)
      if (!form.current) return
      const placed = placeFailure(explained, error, failures, namesOf(form.current))
      fail(placed.errors, placed.above)
    } finally {
      setIsSending(false)
    }
  }

  const errorSummary = lines.length > 0 && <ErrorSummary lines={lines} form={form} />
  const inDialog = summary === 'in-dialog' && errorSummary
  return (
    // POST, so that a password is never in an address, even without script.
    <form ref={form} className={className} method="post" onSubmit={submit} noValidate>
      <FormContext value={{ errors, isSending, isWaiting: missingParts > 0, initial, summary: inDialog }}>
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

type SubmitProps = Omit<React.ComponentProps<typeof Button>, 'type' | 'isBusy'>

/**
 * Shows the form's one primary button. It is inactive while a part of the form is still being read, and disabled until the page is
 * hydrated, as any button, so nothing is posted without script.
 */
export function Submit({ children, 'aria-disabled': atRest, ...button }: SubmitProps) {
  const { isSending, isWaiting } = useFormState()
  return (
    <Button variant="primary" {...button} type="submit" isBusy={isSending} aria-disabled={isWaiting || atRest}>
      {children}
    </Button>
  )
}

/** Leaves a dialog's form, or goes back to where its text says; inactive while the form is being sent. */
export function Cancel({ children, ...button }: Omit<SubmitProps, 'variant'>) {
  const t = useText()
  const { isSending } = useFormState()
  return (
    <Button variant="quiet" {...button} aria-disabled={isSending}>
      {children ?? t({ pl: 'Anuluj', en: 'Cancel' })}
    </Button>
  )
}
