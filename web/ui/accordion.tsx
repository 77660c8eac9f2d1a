import type { ReactNode } from 'react'
import { Icon } from '../art/icons.tsx'
import './accordion.css'

type AccordionItem = {
  /** Of the summary, because the browser focuses what an address names only if it can take the focus. */
  id: string
  title: ReactNode
  content: ReactNode
  open?: boolean
}

/** Questions that open to their answers. Native, so it works without script and in the browser's own search. */
export const Accordion = ({ items }: { items: readonly AccordionItem[] }) => (
  <div className="accordion">
    {items.map(({ id, title, content, open }) => (
      <details key={id} open={open}>
        <summary id={id}>
          <h3>{title}</h3>
          <Icon name="down" />
        </summary>
        <div className="accordion__body">{content}</div>
      </details>
    ))}
  </div>
)
