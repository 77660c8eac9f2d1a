import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { requireElement } from '../app/element-refs.ts'
import { useHydrated } from '../app/hydration.tsx'
import { Icon, type IconName } from '../art/icons.tsx'
import { Link } from './link.tsx'

export type MenuItem = { label: string; icon: IconName } & (
  | { to: string; onSelect?: never }
  | { onSelect: () => void; to?: never }
)

type Props = { button: ReactNode; className: string; heading?: ReactNode; items: readonly MenuItem[] }

/** Shows a button that opens a menu, with the keys of the ARIA menu-button pattern. */
export function Menu({ button, className, heading, items }: Props) {
  const id = useId()
  const isHydrated = useHydrated()
  const [isOpen, setIsOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const trigger = useRef<HTMLButtonElement>(null)

  const rows = () => [...requireElement(root).querySelectorAll<HTMLElement>('[role=menuitem]')]
  const focusRow = (index: number) =>
    rows()
      .at(index % rows().length)
      ?.focus()

  useEffect(() => {
    if (!isOpen) return
    focusRow(0)
    const leave = (event: PointerEvent) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setIsOpen(false)
    }
    document.addEventListener('pointerdown', leave)
    return () => document.removeEventListener('pointerdown', leave)
  }, [isOpen])

  const close = () => {
    setIsOpen(false)
    trigger.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen) {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
      event.preventDefault()
      return setIsOpen(true)
    }
    const here = rows().findIndex((row) => row === document.activeElement)
    const keys: Record<string, () => void> = {
      ArrowDown: () => focusRow(here + 1),
      ArrowUp: () => focusRow(here - 1),
      Home: () => focusRow(0),
      End: () => focusRow(-1),
      Escape: close,
    }
    if (event.key === 'Tab') return setIsOpen(false)
    const handle = keys[event.key]
    if (handle) {
      event.preventDefault()
      handle()
    }
  }

  return (
    <div className="menu" ref={root}>
      <button
        ref={trigger}
        type="button"
        className={className}
        disabled={!isHydrated}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
        onKeyDown={onKeyDown}
      >
        {button}
      </button>
      {isOpen && (
        <div className="menu__list" id={id} role="menu" tabIndex={-1} onKeyDown={onKeyDown}>
          {heading && (
            <div className="menu__head" role="presentation">
              {heading}
            </div>
          )}
          {items.map((item) => (
            <Entry key={item.label} item={item} onLeave={() => setIsOpen(false)} onClose={close} />
          ))}
        </div>
      )}
    </div>
  )
}

function Entry({ item, onLeave, onClose }: { item: MenuItem; onLeave: () => void; onClose: () => void }) {
  const content = (
    <>
      <Icon name={item.icon} />
      {item.label}
    </>
  )
  if (item.to !== undefined)
    return (
      <Link role="menuitem" tabIndex={-1} className="menu__item" to={item.to} onClick={onLeave}>
        {content}
      </Link>
    )
  return (
    <button
      role="menuitem"
      tabIndex={-1}
      type="button"
      className="menu__item"
      onClick={() => {
        onClose()
        item.onSelect()
      }}
    >
      {content}
    </button>
  )
}
