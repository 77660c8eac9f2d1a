import { useState, type ComponentProps } from 'react'
import { maskNumber } from '../../contract/rules/masks.ts'
import { useText } from '../app/locale.tsx'
import { IconButton } from './button.tsx'
import { Verbatim } from './verbatim.tsx'

type NumberProps = {
  /** Name of the number that the button shows: „PESEL”. */
  numberName: string
  masked: string
  /** The whole number, while it is shown. */
  shown: string | undefined
  isBusy?: boolean
  onToggle: () => void
}

/**
 * Shows a masked number to the eye only; its dots have one typeface and size everywhere, or they would look different next to each other.
 */
export function MaskedText({ children: masked, ...props }: { children: string } & ComponentProps<'span'>) {
  const [from, to] = [masked.indexOf('•'), masked.lastIndexOf('•') + 1]
  return (
    <Verbatim aria-hidden="true" {...props}>
      {masked.slice(0, from)}
      <span className="dots">{masked.slice(from, to)}</span>
      {masked.slice(to)}
    </Verbatim>
  )
}

/** Shows a masked number; screen readers skip the dots and read the last characters. */
export function MaskedNumber({ children: masked }: { children: string }) {
  const t = useText()
  const end = masked.slice(masked.lastIndexOf('•') + 1).trim()
  const spoken = end.split('').join(' ')
  return (
    <>
      <MaskedText>{groupInPairs(masked)}</MaskedText>
      <span className="unseen">
        {end ? t({ pl: `kończy się na ${spoken}`, en: `ends in ${spoken}` }) : t({ pl: 'zasłonięty', en: 'hidden' })}
      </span>
    </>
  )
}

/** Shows a masked number, and the button that reveals it (DAT-7). */
export function NumberWithEye({ numberName, masked, shown, isBusy, onToggle }: NumberProps) {
  const t = useText()
  return (
    <span className="hidden-number">
      <span
        className={masked.startsWith('+') ? 'number' : 'mono wrap'}
        aria-live="polite"
        translate={shown === undefined ? undefined : 'no'}
      >
        {shown === undefined ? <MaskedNumber>{masked}</MaskedNumber> : groupInPairs(shown)}
      </span>
      <IconButton
        icon={shown === undefined ? 'eye' : 'eye-off'}
        size="s"
        label={t({ pl: `Pokaż cały numer: ${numberName}`, en: `Show the whole number: ${numberName}` })}
        aria-pressed={shown !== undefined}
        aria-disabled={isBusy}
        onClick={onToggle}
      />
    </span>
  )
}

/** Joins the parts of a phone number in pairs, so that it breaks in the middle in a narrow column: `+48 600` `100 417`. */
const groupInPairs = (text: string) =>
  text.split(' ').reduce((line, part, index) => line + (index % 2 ? '\u00a0' : ' ') + part)

type Props = { what: string; value: string; masked?: string }

/** Shows one of the customer's own numbers, masked until they press the eye, each by itself, and until the page is left (DAT-7). */
export function HiddenNumber({ what, value, masked = maskNumber(value) }: Props) {
  const [isShown, setIsShown] = useState(false)
  return (
    <NumberWithEye
      numberName={what}
      masked={masked}
      shown={isShown ? value : undefined}
      onToggle={() => setIsShown(!isShown)}
    />
  )
}
