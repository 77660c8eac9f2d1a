import type { Text } from '../../contract/enums.ts'
import { useText } from '../app/locale.tsx'
import { Button } from '../ui/button.tsx'
import './operations.css'

type Props = {
  name: Text
  /** The text of each button. */
  back: Text
  onward: Text
  /** The cursor of each page up to the current one; the first page has none. */
  cursors: readonly string[]
  /** The cursor of the next page; null on the last one, undefined while a page is being read. */
  next: string | null | undefined
  goTo: (cursors: readonly string[]) => void
}

/** Shows buttons for the previous and the next page of a list at the desk. */
export function DeskPages({ name, back, onward, cursors, next, goTo }: Props) {
  const t = useText()
  return (
    <nav className="trail__pages" aria-label={t(name)}>
      <Button aria-disabled={!cursors.length} onClick={() => cursors.length && goTo(cursors.slice(0, -1))}>
        {t(back)}
      </Button>
      <Button aria-disabled={!next} onClick={() => next && goTo([...cursors, next])}>
        {t(onward)}
      </Button>
    </nav>
  )
}
