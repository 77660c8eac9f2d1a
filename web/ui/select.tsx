import { useId, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { type Locale, type Text, keysOf } from '../../contract/enums.ts'
import { useInputEvents } from '../app/element-refs.ts'
import { useHydrated } from '../app/hydration.tsx'
import { FieldMessage } from './field.tsx'
import { useFormState } from './form-state.ts'
import { OptionList } from './option-list.tsx'

export type Option<V extends string = string> = { value: V; label: string }

/** Converts a table of texts to options. */
export const textOptions = <V extends string>(locale: Locale, texts: Record<V, Text>): Option<V>[] =>
  keysOf(texts).map((value) => ({ value, label: texts[value][locale] }))

type Props<V extends string> = {
  name: string
  label: string
  /** Hidden text that tells it from others with this label. */
  about?: ReactNode
  options: readonly Option<V>[]
  /** Value that is chosen at first, and again whenever this property changes. */
  value?: V | undefined
  /** The text until something is chosen, where no choice may be suggested; without it, the first option is chosen. */
  prompt?: string
  onChange?: (value: V) => void
}

const openingKeys = new Set(['Enter', ' ', 'ArrowDown', 'ArrowUp'])

/**
 * Shows a choice of one option, with the keys of the select-only combobox of the ARIA patterns: the focus stays on the button, and the
 * active option is referenced by its id, so that no key is lost however fast somebody types. A native select has neither the margin nor the
 * scroll buttons of UIX-2. A hidden one carries the value for forms, drafts and the browser's autofill.
 */
export function Select<V extends string>(props: Props<V>) {
  const { name, label, about, options, prompt } = props
  const id = useId()
  const isHydrated = useHydrated()
  const button = useRef<HTMLButtonElement>(null)
  const error = useFormState().errors[name]
  const { native, chosen, choose, onChange } = useChoice(props)
  const list = useOptionKeys(button, options, chosen, choose)
  const { active } = list
  const isOpen = active !== undefined
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {about}
      </label>
      <button
        ref={button}
        type="button"
        id={id}
        className="input select"
        role="combobox"
        disabled={!isHydrated}
        data-name={name}
        data-label={label}
        aria-invalid={error && true}
        aria-describedby={error && `${id}-error`}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? `${id}-options` : undefined}
        aria-activedescendant={isOpen ? `${id}-${active}` : undefined}
        onClick={() => (isOpen ? list.close() : list.open())}
        onKeyDown={list.onKeyDown}
        onBlur={list.close}
      >
        {options.find((option) => option.value === chosen)?.label ?? prompt}
      </button>
      {isOpen && (
        <OptionList
          id={id}
          label={label}
          options={options}
          chosen={chosen}
          active={active}
          anchor={button}
          onActive={list.setActive}
          onChoose={list.choose}
          onClose={list.close}
        />
      )}
      <select
        ref={native}
        name={name}
        className="unseen"
        tabIndex={-1}
        aria-hidden="true"
        value={chosen ?? ''}
        onChange={({ target }) => onChange(target.value)}
      >
        {prompt !== undefined && <option value="">{prompt}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {error && <FieldMessage id={id} error={error} />}
    </div>
  )
}

/** Holds the chosen option; the native select carries its value. */
function useChoice<V extends string>({ options, value, prompt, onChange }: Props<V>) {
  const native = useRef<HTMLSelectElement>(null)
  const [chosen, setChosen] = useState(value ?? (prompt === undefined ? options[0]?.value : undefined))
  const [given, setGiven] = useState(value)

  // While rendering: an effect would show the choice before for a moment.
  if (value !== given) {
    setGiven(value)
    if (value !== undefined) setChosen(value)
  }

  useInputEvents(native, () => setChosen(options.find((option) => option.value === native.current?.value)?.value))

  return {
    native,
    chosen,
    choose(option: Option<V> | undefined) {
      if (!option || option.value === chosen || !native.current) return
      native.current.value = option.value
      // The form around it listens to native events.
      native.current.dispatchEvent(new Event('change', { bubbles: true }))
    },
    onChange(to: string) {
      const option = options.find((each) => each.value === to)
      setChosen(option?.value)
      if (option) onChange?.(option.value)
    },
  }
}

/** Letters typed within this time belong together. */
const pauseMs = 1000

/** Finds the next label from `from` on that begins with the text; the same letter again goes to the next such label. */
export function findLabel(labels: readonly string[], typed: string, from: number): number | undefined {
  const text = typed.toLocaleLowerCase()
  const letter = text.charAt(0)
  const isRepeated = text === letter.repeat(text.length)
  const start = isRepeated ? from + 1 : Math.max(0, from)
  const indexes = labels.map((_, index) => (start + index) % labels.length)
  // A no-break space, as in `2 lata`, is typed as any other.
  const shown = (index: number) => labels[index]?.replaceAll('\u00a0', ' ').toLocaleLowerCase()
  return indexes.find((index) => shown(index)?.startsWith(isRepeated ? letter : text))
}

/** Finds an option by what is typed. */
function useTypeAhead(labels: readonly string[]) {
  const typed = useRef({ text: '', at: 0 })
  const isTyping = () => Date.now() - typed.current.at < pauseMs

  function find(key: string, from: number) {
    const text = (isTyping() ? typed.current.text : '') + key
    typed.current = { text, at: Date.now() }
    return findLabel(labels, text, from)
  }

  return { find, isTyping }
}

/** Handles the keys of the select, and holds the index of the active option while the list is open. */
function useOptionKeys<V extends string>(
  button: RefObject<HTMLButtonElement | null>,
  options: readonly Option<V>[],
  chosen: V | undefined,
  onChoose: (option: Option<V> | undefined) => void,
) {
  const [active, setActive] = useState<number>()
  const chosenIndex = Math.max(0, options.map((option) => option.value === chosen).indexOf(true))
  const { find, isTyping } = useTypeAhead(options.map((option) => option.label))

  function open() {
    // Safari does not focus a button that is pressed.
    button.current?.focus()
    setActive(chosenIndex)
  }
  const close = () => setActive(undefined)
  function choose(index: number) {
    close()
    onChoose(options[index])
  }

  function onKeyDown(event: KeyboardEvent) {
    const { key, ctrlKey, metaKey, altKey } = event
    const isLetter = key.length === 1 && !ctrlKey && !metaKey && !altKey && (key !== ' ' || isTyping())
    const last = options.length - 1
    const from = active ?? chosenIndex
    if (isLetter) setActive(find(key, from) ?? from)
    else if (active === undefined && openingKeys.has(key)) open()
    else if (active === undefined) return
    else if (key === 'ArrowDown') setActive(Math.min(last, active + 1))
    else if (key === 'ArrowUp') setActive(Math.max(0, active - 1))
    else if (key === 'Home') setActive(0)
    else if (key === 'End') setActive(last)
    else if (key === 'Enter' || key === ' ') choose(active)
    else if (key === 'Escape') close()
    else return
    event.preventDefault()
  }

  return { active, setActive, open, close, choose, onKeyDown }
}
