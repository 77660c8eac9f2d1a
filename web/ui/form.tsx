import {
  createContext,
  use,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  type SubmitEvent,
} from 'react'
import type * as z from 'zod/mini'
import { CallFailed } from '../api.ts'
import { useLocale } from '../locale.tsx'
import { Button } from './button.tsx'
import { followForm } from './drafts.ts'
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
import { controlNamed, valuesOf } from './form-values.ts'
import { HoldForm } from './held-form.ts'

type FormState = { errors: FieldErrors; sending: boolean; waiting: boolean; initial: Record<string, string | boolean> }
const FormContext = createContext<FormState>({ errors: {}, sending: false, waiting: false, initial: {} })
export const useFormState = () => use(FormContext)

type Props<S extends z.ZodMiniType> = {
  schema: S
  /** Gets the checked values; a CallFailed that it throws is shown by the form. */
  onSubmit: (values: z.output<S>) => Promise<unknown>
  failures?: FailurePlaces
  initial?: Record<string, string | boolean>
  /** Without a summary (a dialog with one field) the first wrong field is focused instead. */
  summary?: boolean
  className?: string
  children: ReactNode
}

/** A form of native fields and one schema, checked when a field is left or its value is committed (VAL-2). */
export function Form<S extends z.ZodMiniType>(props: Props<S>) {
  const { schema, onSubmit, failures = {}, initial = {}, summary = true, className = 'form', children } = props
  const form = useRef<HTMLFormElement>(null)
  const locale = useLocale()
  const [errors, setErrors] = useState<FieldErrors>({})
  const [lines, setLines] = useState<SummaryLine[]>([])
  const [sending, setSending] = useState(false)
  const [missingParts, setMissingParts] = useState(0)

  const check = useEffectEvent((names: ReadonlySet<string>) => {
    const found = findProblems(schema, valuesOf(form.current!))
    setErrors((shown) => afterCheck(shown, names, found))
  })
  // A layout effect ends before its form leaves the page, and the focus that leaves with it is no field to check.
  useLayoutEffect(() => watchFields(form.current!, check), [])
  useEffect(() => followForm(form.current!), [])

  function fail(found: FieldErrors, text?: string) {
    setErrors(found)
    const names = Object.keys(found)
    if (summary) {
      const label = (name: string) => controlNamed(form.current!, name)?.dataset['label']
      const own = names.map((name) => ({ name, text: summaryText(locale, found[name]!, label(name)) }))
      setLines(text ? [{ text }, ...own] : own)
    }
    const current = [...form.current!.elements].find(
      (field) => (field as HTMLInputElement).autocomplete === 'current-password',
    )
    if (text && current instanceof HTMLInputElement) {
      // A refused password is never left standing, and typing it again is all there is to do (ux 8.1).
      current.value = ''
      current.focus()
    } else if (!summary && names[0]) {
      const field = controlNamed(form.current!, names[0])
      field?.focus()
      if (field instanceof HTMLInputElement) field.select()
    }
  }

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    // A dialog's form lies inside the React tree of the page's form, and its events pass through both.
    event.stopPropagation()
    if (sending) return
    const values = valuesOf(form.current!)
    const result = schema.safeParse(values)
    if (!result.success) return fail(findProblems(schema, values))
    setErrors({})
    setLines([])
    setSending(true)
    try {
      await onSubmit(result.data)
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      if (error.code === 'cancelled' || !form.current) return
      const names = new Set([...form.current.elements].map((field) => (field as HTMLInputElement).name))
      const placed = placeFailure(locale, error, failures, names)
      fail(placed.errors, placed.text)
    } finally {
      setSending(false)
    }
  }

  return (
    // POST, so that a password can never stand in an address, whatever happens to the script.
    <form ref={form} className={className} method="post" onSubmit={submit} noValidate>
      <FormContext value={{ errors, sending, waiting: missingParts > 0, initial }}>
        <HoldForm value={setMissingParts}>
          {lines.length > 0 && <ErrorSummary lines={lines} form={form} />}
          {children}
        </HoldForm>
      </FormContext>
    </form>
  )
}

type SubmitProps = Omit<React.ComponentProps<typeof Button>, 'type' | 'busy'>

/**
 * The form's one primary button. It is at rest while a part of the form is still being read. Until the page has come to
 * life it is disabled, as any button, so nothing is posted without script.
 */
export function Submit({ children, 'aria-disabled': atRest, ...button }: SubmitProps) {
  const { sending, waiting } = useFormState()
  return (
    <Button variant="primary" {...button} type="submit" busy={sending} aria-disabled={waiting || atRest}>
      {children}
    </Button>
  )
}
