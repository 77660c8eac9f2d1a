import { useEffect, useRef, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { Icon } from '../art/icons.tsx'
import './accordion.css'

export type AccordionItem = { id: string; title: ReactNode; content: ReactNode }

/** Questions that open to their answers. Native, so it works without script and in the browser's own search; `#id` opens one. */
export function Accordion({ items, level = 3 }: { items: readonly AccordionItem[]; level?: 2 | 3 }) {
  const list = useRef<HTMLDivElement>(null)
  const { hash } = useLocation()
  const Heading = `h${level}` as const

  useEffect(() => {
    const wanted = hash && list.current?.querySelector(`details[id="${CSS.escape(hash.slice(1))}"]`)
    if (wanted instanceof HTMLDetailsElement) {
      wanted.open = true
      wanted.querySelector('summary')?.focus()
    }
  }, [hash])

  return (
    <div className="accordion" ref={list}>
      {items.map(({ id, title, content }) => (
        <details key={id} id={id}>
          <summary>
            <Heading>{title}</Heading>
            <Icon name="down" />
          </summary>
          <div className="accordion__body">{content}</div>
        </details>
      ))}
    </div>
  )
}
