import { useEffect, useEffectEvent, useRef, useState, type ClipboardEvent } from 'react'
import { countryFound, findCountry } from '../../contract/country.ts'
import { limits } from '../../contract/limits.ts'
import { type Country, isPhoneCountry } from '../../contract/rules/phone.ts'
import { requireElement, useInputEvents } from '../app/element-refs.ts'
import { call } from '../calls/api.ts'
import './phone-field.css'
import { FieldFrame, useField, type FieldProps } from '../ui/field.tsx'
import { homeCountry } from './country-names.ts'
import { CountrySelect } from './country-select.tsx'
import { formatted, shownFor, extractPastedNumber, parsePhoneText, withoutCode } from './phone-typing.ts'

let lookup: Promise<Country> | undefined

/** Looks up the country of the visitor's network address, once per visit; rejects with the text of the specification (PHO-2). */
const lookUpCountry = () => (lookup ??= requestCountry())

async function requestCountry() {
  const answer = await call(findCountry, { optional: true }).catch(() => undefined)
  const country = answer && countryFound(answer.result)
  if (!country || !isPhoneCountry(country)) throw new Error('unable to fetch the country')
  return country
}

/**
 * Shows a phone number field with its country (PHO-1). The form gets E.164 under the field's name, and its schema parses it with
 * `PhoneEntry`. Typing never rewrites the text, so the caret never jumps; leaving the field formats it.
 */
export function PhoneField({ name, label, hint, optional = false, aside }: FieldProps) {
  const { id, error, initial, wiring } = useField({ name, label, hint, optional })
  const { start, country, shown, kept, touched, keep, commit } = usePhoneEntry(initial)

  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const field = event.currentTarget
    const [from, to] = [field.selectionStart ?? 0, field.selectionEnd ?? 0]
    const text = extractPastedNumber(
      event.clipboardData.getData('text'),
      limits.phone.fieldLength - field.value.length + to - from,
      country,
    )
    if (text === undefined) return
    event.preventDefault()
    field.setRangeText(text, from, to, 'end')
    touched.current = true
    keep(country)
  }

  return (
    <FieldFrame {...{ id, label, hint, optional, aside, error }}>
      <div className="phone">
        <CountrySelect
          country={country}
          onOpen={() => (touched.current = true)}
          onChoose={(chosen) => {
            const field = requireElement(shown)
            field.value = formatted(withoutCode(field.value, country), chosen)
            keep(chosen)
            if (field.value) commit()
          }}
        />
        <input
          ref={shown}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          className="input"
          defaultValue={start.text}
          maxLength={limits.phone.fieldLength}
          {...wiring}
          name={undefined}
          data-name={name}
          onChange={() => {
            touched.current = true
            keep(country)
          }}
          onPaste={onPaste}
          onBlur={({ currentTarget }) => {
            currentTarget.value = formatted(currentTarget.value, country)
            commit()
          }}
        />
        {/* What the form reads; a text, so that a draft of the form keeps it. */}
        <input
          ref={kept}
          type="text"
          hidden
          name={name}
          autoComplete="off"
          defaultValue={typeof initial === 'string' ? initial : undefined}
        />
      </div>
    </FieldFrame>
  )
}

/** Holds the number as it is shown, its country, and the number as it is kept for the form. */
function usePhoneEntry(initial: string | boolean | undefined) {
  const [start] = useState(() => shownFor(typeof initial === 'string' ? initial : '', homeCountry))
  const [country, setCountry] = useState(start.country)
  const shown = useRef<HTMLInputElement>(null)
  const kept = useRef<HTMLInputElement>(null)
  /** Whether somebody has typed or looked at the countries; from then on, no lookup changes what they see. */
  const touched = useRef(false)

  const keep = (chosen: Country) => {
    const typed = parsePhoneText(requireElement(shown).value, chosen)
    setCountry(typed.country)
    requireElement(kept).value = typed.value
  }
  /** Dispatches a `change` event, because the form checks on native events of a named field (VAL-2). */
  const commit = () => requireElement(kept).dispatchEvent(new Event('change', { bubbles: true }))

  const begin = useEffectEvent(() => {
    // Typed before hydration.
    if (requireElement(shown).value !== start.text) keep(country)
    if (requireElement(shown).value) touched.current = true
  })
  useEffect(() => begin(), [])
  useInputEvents(kept, () => {
    const { country: restored, text } = shownFor(requireElement(kept).value, country)
    touched.current = true
    setCountry(restored)
    requireElement(shown).value = text
  })

  useEffect(() => {
    let isGone = false
    lookUpCountry().then(
      (found) => {
        if (!isGone && !touched.current) setCountry(found)
      },
      // PHO-2: logged, and the form continues; the customer could do nothing about it.
      // oxlint-disable-next-line no-console
      (failure: Error) => console.warn(failure.message),
    )
    return () => void (isGone = true)
  }, [])

  return { start, country, shown, kept, touched, keep, commit }
}
