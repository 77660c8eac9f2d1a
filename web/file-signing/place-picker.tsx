import { useId, useRef, type KeyboardEvent } from 'react'
import { signaturePlaces, type SignaturePlace } from '../../pki/pdf/signature-places.ts'
import { Icon } from '../art/icons.tsx'
import { useText } from '../locale.tsx'
import { placeTexts } from './signing-text.ts'

const columns = 3
const moves: Record<string, (at: { column: number; row: number }) => { column: number; row: number }> = {
  ArrowLeft: ({ column, row }) => ({ column: Math.max(0, column - 1), row }),
  ArrowRight: ({ column, row }) => ({ column: Math.min(columns - 1, column + 1), row }),
  ArrowUp: ({ column, row }) => ({ column, row: Math.max(0, row - 1) }),
  ArrowDown: ({ column, row }) => ({ column, row: Math.min(signaturePlaces.length / columns - 1, row + 1) }),
}

type Props = {
  /** Undefined while the signature is on another page. */
  place: SignaturePlace | undefined
  onPlace: (place: SignaturePlace) => void
}

/** SGN-24: nine places over a page. The signature is put by a press, dragged with a mouse, or moved by arrow keys. */
export function PlacePicker({ place, onPlace }: Props) {
  const t = useText()
  const name = useId()
  const isDragged = useRef(false)

  /** Arrow keys move as the places are laid out; the reader around them would turn the page. */
  function press(event: KeyboardEvent<HTMLElement>) {
    const move = moves[event.key]
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    const inputs = [...event.currentTarget.querySelectorAll('input')]
    const focused = inputs.findIndex((input) => input === event.target)
    // After a drag none of them has the focus.
    const at = focused >= 0 ? focused : signaturePlaces.findIndex((each) => each === place)
    const { column, row } = move({ column: at % columns, row: Math.floor(at / columns) })
    const next = signaturePlaces[row * columns + column]
    if (at < 0 || !next) return
    inputs[row * columns + column]?.focus()
    onPlace(next)
  }

  return (
    <div
      className="signspots"
      role="radiogroup"
      aria-label={t({ pl: 'Miejsce podpisu na stronie', en: 'Position of the signature on the page' })}
      tabIndex={-1}
      onKeyDown={press}
      onPointerDown={() => void (isDragged.current = true)}
      onPointerUp={() => void (isDragged.current = false)}
      onPointerLeave={() => void (isDragged.current = false)}
    >
      {signaturePlaces.map((each) => (
        <label
          key={each}
          className="signspot"
          data-place={each}
          onPointerEnter={({ pointerType }) => pointerType === 'mouse' && isDragged.current && onPlace(each)}
        >
          <input
            type="radio"
            className="vh"
            name={name}
            checked={each === place}
            aria-label={t(placeTexts[each])}
            onChange={() => onPlace(each)}
          />
          <span aria-hidden="true">
            {each === place && (
              <>
                <Icon name="pen" size="s" />
                {t({ pl: 'Podpis', en: 'Signature' })}
              </>
            )}
          </span>
        </label>
      ))}
    </div>
  )
}
