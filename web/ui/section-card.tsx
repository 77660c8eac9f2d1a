import type { ReactNode, RefObject } from 'react'

type Props = {
  id: string
  title: string
  className?: string
  /** Heading that takes the focus when a button in the card disappears. */
  heading?: RefObject<HTMLHeadingElement | null>
  intro?: string
  children: ReactNode
}

/** Shows a part of a page in a card of its own, named by its heading. */
export function SectionCard({ id, title, className = 'card', heading, intro, children }: Props) {
  return (
    <section className={className} aria-labelledby={id}>
      <h2 id={id} className="small-heading" tabIndex={-1} ref={heading}>
        {title}
      </h2>
      {intro && <p className="soft">{intro}</p>}
      {children}
    </section>
  )
}

type DescribedCardProps = {
  id: string
  title: string
  intro: string
  /** Heading that takes the focus when a button in the card disappears. */
  heading?: RefObject<HTMLHeadingElement | null>
  children: ReactNode
}

/** Shows a card with its description on the left and its content on the right; on a phone, one below the other. */
export function DescribedCard({ id, title, intro, heading, children }: DescribedCardProps) {
  return (
    <section className="card section-card" aria-labelledby={id}>
      <div className="section-card__about">
        <h2 id={id} className="small-heading" tabIndex={-1} ref={heading}>
          {title}
        </h2>
        <p className="soft">{intro}</p>
      </div>
      <div className="section-card__body">{children}</div>
    </section>
  )
}
