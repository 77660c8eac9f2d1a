import { useEffect, useState, useId, useRef, type KeyboardEvent } from 'react'
import { signaturePlaces, type SignaturePlace } from '../../pki/pdf/signature-places.ts'
import { useText } from '../app/locale.tsx'
import { Icon } from '../art/icons.tsx'
import { PageReader } from '../pdf-preview/page-reader.tsx'
import { firstView } from '../pdf-preview/shown-page.ts'
import type { ReadyFile } from './chosen-files.ts'
import type { SignaturePosition } from './prepared-files.ts'
import { placeTexts } from './signing-text.ts'

export type PagesToSignProps = {
  chosen: ReadyFile
  position: SignaturePosition | undefined
  onPosition: (position: SignaturePosition) => void
}

/** Shows the pages of a file next to the form (SGN-22, SGN-24). */
export function FilePages(props: PagesToSignProps) {
  const t = useText()
  return (
    <section className="sign-read" aria-label={t({ pl: 'Podgląd pliku', en: 'File preview' })}>
      <PagesToSign {...props} />
    </section>
  )
}

/** Shows a file in a reader; the place of a visible signature is chosen on its first or last page. */
export function PagesToSign({ chosen: { file, password, pages }, position, onPosition }: PagesToSignProps) {
  const shared = useState(firstView)
  const [, setView] = shared
  const chosenPage = position?.page
  useEffect(() => {
    if (chosenPage) setView((view) => ({ ...view, page: chosenPage === 'first' ? 1 : pages }))
  }, [chosenPage, pages, setView])

  function placesOf(page: number, of: number) {
    if (!position || (page > 1 && page < of)) return null
    const which = of === 1 ? position.page : page === 1 ? 'first' : 'last'
    return (
      <PlacePicker
        place={which === position.page ? position.place : undefined}
        onPlace={(place) => onPosition({ page: which, place })}
      />
    )
  }
  return (
    <PageReader
      file={file}
      name={file.name}
      isLocal
      shared={shared}
      over={position && placesOf}
      {...(password && { code: password })}
    />
  )
}

const columns = 3
const moves: Record<string, (at: { column: number; row: number }) => { column: number; row: number }> = {
  ArrowLeft: ({ column, row }) => ({ column: Math.max(0, column - 1), row }),
  ArrowRight: ({ column, row }) => ({ column: Math.min(columns - 1, column + 1), row }),
  ArrowUp: ({ column, row }) => ({ column, row: Math.max(0, row - 1) }),
  ArrowDown: ({ column, row }) => ({ column, row: Math.min(signaturePlaces.length / columns - 1, row + 1) }),
}

type Props = {
  /** The place of the signature; undefined while it is on another page. */
  place: SignaturePlace | undefined
  onPlace: (place: SignaturePlace) => void
}

/** Shows nine places over a page (SGN-24). The signature is put by a press, dragged with a mouse, or moved by arrow keys. */
function PlacePicker({ place, onPlace }: Props) {
  const t = useText()
  const name = useId()
  const isDragged = useRef(false)

  /**
   * Moves the signature by arrow keys, as the places are laid out, and stops the event, because the reader around them would turn the page.
   */
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
      className="sign-spots"
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
          className="sign-spot"
          data-place={each}
          onPointerEnter={({ pointerType }) => pointerType === 'mouse' && isDragged.current && onPlace(each)}
        >
          <input
            type="radio"
            className="unseen"
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
