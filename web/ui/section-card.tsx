import type { ReactNode, RefObject } from 'react'

type Props = {
  id: string
  title: string
  className?: string
  /** For a heading that takes the focus when a button in the card disappears. */
  heading?: RefObject<HTMLHeadingElement | null>
  intro?: string
  children: ReactNode
}

/** A part of a page in a card of its own, named by its heading. */
export function SectionCard({ id, title, className = 'card', heading, intro, children }: Props) {
  return (
    <section className={className} aria-labelledby={id}>
      <h2 id={id} className="h-s" tabIndex={-1} ref={heading}>
        {title}
      </h2>
      {intro && <p className="soft">{intro}</p>}
      {children}
    </section>
  )
}
