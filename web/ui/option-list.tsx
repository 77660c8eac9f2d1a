import './option-list.css'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { requireElement } from '../app/element-refs.ts'
import { Icon } from '../art/icons.tsx'

/** Pixels to the edges of the window; `stepMs` is the time between two steps of a scroll button (UIX-2). */
const margin = 10
const stepMs = 50
const gap = 4

type Props = {
  id: string
  label: string
  options: readonly { value: string; label: string }[]
  chosen: string | undefined
  active: number
  anchor: RefObject<HTMLElement | null>
  onActive: (index: number) => void
  onChoose: (index: number) => void
  onClose: () => void
}

/** Shows the options of a select in the top layer, below its button or where the window has room for them. */
export function OptionList({ id, label, options, chosen, active, anchor, onActive, onChoose, onClose }: Props) {
  const popup = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [hidden, setHidden] = useState({ above: false, below: false })

  const measure = () => {
    const { scrollTop, scrollHeight, clientHeight } = requireElement(list)
    setHidden({ above: scrollTop > 0, below: scrollTop + clientHeight < scrollHeight - 1 })
  }
  useLayoutEffect(() => {
    const [box, button] = [requireElement(popup), requireElement(anchor)]
    box.showPopover()
    const update = () => {
      place(box, button)
      measure()
    }
    update()
    addEventListener('resize', update)
    addEventListener('scroll', update, true)
    return () => {
      removeEventListener('resize', update)
      removeEventListener('scroll', update, true)
    }
  }, [anchor])
  const close = useEffectEvent(onClose)
  useEffect(() => {
    const leave = ({ target }: PointerEvent) => {
      const isInside = target instanceof Node && [popup, anchor].some(({ current }) => current?.contains(target))
      if (!isInside) close()
    }
    document.addEventListener('pointerdown', leave)
    return () => document.removeEventListener('pointerdown', leave)
  }, [anchor])
  useEffect(() => {
    requireElement(list).children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])

  return (
    // Pressed, it must not take the focus from the button. Browsers move the focus on mousedown, also after a canceled pointerdown.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- nothing can be done with it, its options are buttons
    <div ref={popup} className="options" popover="manual" onMouseDown={(event) => event.preventDefault()}>
      {hidden.above && <ScrollButton list={list} direction={-1} />}
      <div ref={list} id={`${id}-options`} className="options__list" role="listbox" aria-label={label}>
        {options.map((option, index) => (
          <button
            type="button"
            key={option.value}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            className="options__item"
            aria-selected={option.value === chosen}
            data-active={index === active ? '' : undefined}
            onPointerMove={() => index !== active && onActive(index)}
            onClick={() => onChoose(index)}
          >
            {option.label}
            {option.value === chosen && <Icon name="check" size="s" />}
          </button>
        ))}
      </div>
      {hidden.below && <ScrollButton list={list} direction={1} />}
    </div>
  )
}

/** Scrolls by an option a step while the pointer is on it. */
function ScrollButton({ list, direction }: { list: RefObject<HTMLDivElement | null>; direction: 1 | -1 }) {
  const timer = useRef<ReturnType<typeof setInterval>>(undefined)
  const stop = () => {
    clearInterval(timer.current)
    timer.current = undefined
  }
  useEffect(() => stop, [])
  return (
    <div
      className={direction === 1 ? 'options__step' : 'options__step options__step--up'}
      aria-hidden="true"
      onPointerMove={() => {
        timer.current ??= setInterval(() => {
          const { current } = list
          current?.scrollBy(0, direction * (current.firstElementChild?.clientHeight ?? 0))
        }, stepMs)
      }}
      onPointerLeave={stop}
    >
      <Icon name="down" size="s" />
    </div>
  )
}

/** Places the list below the button, else above it, else over it; the margin stays free on every side. */
function place(popup: HTMLElement, anchor: HTMLElement) {
  const { left, top, bottom, width } = anchor.getBoundingClientRect()
  popup.style.minWidth = `${width}px`
  popup.style.maxHeight = `${innerHeight - 2 * margin}px`
  const { offsetHeight: height, offsetWidth } = popup
  const lowest = innerHeight - margin - height
  const above = top - gap - height
  popup.style.top = `${bottom + gap <= lowest ? bottom + gap : above >= margin ? above : lowest}px`
  popup.style.left = `${Math.max(margin, Math.min(left, innerWidth - margin - offsetWidth))}px`
}
