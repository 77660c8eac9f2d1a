import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import {
  fixParameters,
  readRenewal,
  readSigningReadiness,
  saveParameters,
  type Expected,
  type Renewal,
  type RenewalParameters,
} from '../../contract/renewal.ts'
import type { Choice, RenewalReason, Validity } from '../../contract/rules/renewal-rules.ts'
import { requireElement } from '../app/element-refs.ts'
import { namesOf, valuesOf } from '../app/form-values.ts'
import { useLocale } from '../app/locale.tsx'
import { ApiError, call, hasFailedWith, onFailure } from '../calls/api.ts'
import { invalidate } from '../calls/reads.ts'
import { renewalReasonOf } from '../text/renewal-text.ts'
import { ruleInputsOf, initialOf, evaluateChoice, parametersForm } from './chosen-parameters.ts'
import { useRenewalCall } from './renewal-move.ts'

/**
 * Keeps step 1 on the server as it is entered, for a reload or another browser (REN-1). Calls go out one after the
 * other, because each makes the version that the next one names.
 */
function useSavedParameters(renewal: Renewal, onChanged: (renewal: Renewal) => void) {
  const move = useRenewalCall()
  const latest = useRef(renewal)
  useEffect(() => void (latest.current = renewal), [renewal])
  const params = { uid: renewal.uid }
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const [hasFailed, setHasFailed] = useState(false)

  function enqueue(request: (expected: Expected) => Promise<Renewal>): Promise<void> {
    const mine = queue.current.then(async () => {
      const { state, version } = latest.current
      latest.current = await move(() => request({ state, version }))
      onChanged(latest.current)
    })
    queue.current = mine.catch(() => undefined)
    return mine
  }

  /** Saves the parameters. A failure is shown, and occurs again when the step is left. */
  const save = (parameters: RenewalParameters) =>
    enqueue((expected) => call(saveParameters, { params, body: { expected, parameters } })).then(
      () => setHasFailed(false),
      onFailure([], ({ code }) => setHasFailed(code !== 'canceled')),
    )

  const fix = (parameters: RenewalParameters, shortenedTo: string | null) =>
    enqueue((expected) => call(fixParameters, { params, body: { expected, parameters, shortenedTo } }))

  return { save, fix, hasFailed }
}

type Values = Record<string, string | boolean>

const formIn = (container: RefObject<HTMLElement | null>) => requireElement(container).querySelector('form')!

/** Follows the values of the form in the container; `onValues` gets those of its present fields, at each key press or final. */
function useEntered(
  container: RefObject<HTMLElement | null>,
  initial: Values,
  onValues: (entered: Values, isFinal: boolean) => void,
) {
  const [values, setValues] = useState(initial)
  const follow = useEffectEvent((isFinal: boolean) => {
    const entered = valuesOf(formIn(container))
    const present = namesOf(formIn(container))
    // A hidden field keeps its last value; a visible empty one is empty.
    setValues((before) => ({
      ...Object.fromEntries(Object.entries(before).filter(([name]) => !present.has(name))),
      ...entered,
    }))
    onValues(entered, isFinal)
  })
  useEffect(() => {
    const form = formIn(container)
    const onEntered = ({ type }: Event) => follow(type === 'change')
    form.addEventListener('input', onEntered)
    form.addEventListener('change', onEntered)
    // A draft may have been restored before this.
    follow(false)
    return () => {
      form.removeEventListener('input', onEntered)
      form.removeEventListener('change', onEntered)
    }
  }, [container])
  return [values, setValues] as const
}

/** Open dialog; an object is the consent to the shorter validity that the parameters lead to. */
type OpenDialog = 'identifier' | 'document' | { parameters: RenewalParameters; validity: Validity }

/** Holds the values of step 1 and saves them meanwhile; and the dialog or the refusal that the last press led to. */
export function useParametersEntry(
  renewal: Renewal,
  onChanged: (renewal: Renewal) => void,
  container: RefObject<HTMLElement | null>,
) {
  const locale = useLocale()
  const { isSaved, parameters: known } = renewal
  const [initial] = useState(() => initialOf(isSaved ? known : { ...known, language: locale }))
  const [dialog, setDialog] = useState<OpenDialog>()
  const [isValid, setIsValid] = useState(true)
  const [refused, setRefused] = useState<RenewalReason | 'CODE_GONE'>()
  const { save, fix, hasFailed } = useSavedParameters(renewal, onChanged)
  const schema = parametersForm(renewal, locale)

  const [values, setValues] = useEntered(container, initial, (entered, isFinal) => {
    setIsValid(schema.safeParse(entered).success)
    setRefused(undefined)
    if (isFinal) saveValid(entered)
  })
  const choice = ruleInputsOf(values)

  // The pressed link is gone, and the one that reverts it is in its position.
  const identified = useRef(choice.identifier)
  useEffect(() => {
    if (identified.current !== choice.identifier && document.activeElement === document.body)
      container.current?.querySelector<HTMLElement>('.wizard__notes button')?.focus()
    identified.current = choice.identifier
  }, [container, choice.identifier])

  function saveValid(entered: Values) {
    const parsed = schema.safeParse(entered)
    if (parsed.success) void save(parsed.data)
  }

  function identify(identifier: Choice['identifier']) {
    setValues((before) => ({ ...before, identifier }))
    setDialog(undefined)
    setRefused(undefined)
    saveValid({ ...valuesOf(formIn(container)), identifier })
  }

  async function complete(parameters: RenewalParameters, shortenedTo: string | null) {
    try {
      await fix(parameters, shortenedTo)
    } catch (error) {
      if (!hasFailedWith(error, 'renewal-refused', 'voucher-refused')) throw error
      if (shortenedTo) setDialog((now) => (typeof now === 'object' ? undefined : now))
      setRefused(renewalReasonOf(error) ?? 'CODE_GONE')
      // The reasons against it may have changed since this page was read.
      await invalidate(readRenewal, readSigningReadiness)
      throw new ApiError('canceled')
    }
  }

  async function submit(parameters: RenewalParameters) {
    const judged = evaluateChoice(renewal, parameters, new Date(renewal.now))
    if (judged.ok) await complete(parameters, null)
    else if (judged.reason === 'SHORTENED_VALIDITY_NEEDS_CONSENT') setDialog({ parameters, validity: judged.validity })
    else setRefused(judged.reason)
  }

  return { schema, initial, values, choice, isValid, refused, hasFailed, dialog, setDialog, identify, complete, submit }
}
