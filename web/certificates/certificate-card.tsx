import { useId, type ReactNode } from 'react'
import { Medallion, type Family } from '../art/medallion.tsx'

type Props = {
  family: Family
  isActive: boolean
  title: string
  /** What distinguishes it from others with this title, for screen readers. */
  name?: string
  badge: ReactNode
  actions: ReactNode
  children: ReactNode
}

/** A signature or a seal, with what can be done with it. */
export function CertificateCard({ family, isActive, title, name, badge, actions, children }: Props) {
  const heading = useId()
  return (
    <article className="card diploma cert" aria-labelledby={name ? undefined : heading} aria-label={name}>
      <Medallion family={family} size={104} off={!isActive} />
      <div className="cert__main">
        <div className="cert__top">
          <h3 id={heading} tabIndex={-1} className="cert__t">
            {title}
          </h3>
          {badge}
        </div>
        {children}
      </div>
      {actions}
    </article>
  )
}
