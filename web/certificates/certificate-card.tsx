import { useId, type ReactNode } from 'react'
import { Medallion, type Family } from '../art/medallion.tsx'

/** Content of a card, and of a row of a long list (UIX-10). */
export type CertificateItem = {
  family: Family
  /** Class of a card; rows ignore it. */
  className?: string
  isActive: boolean
  title: ReactNode
  /** Second part of the item's name, after the title. */
  owner: ReactNode
  badge: ReactNode
  /** Rows only; the details of a card show both. */
  identifier: ReactNode
  end: ReactNode
  /** The action that a row shows, and the others. */
  action: ReactNode
  actions: ReactNode
  /** Links to what is looked up or changed rarely, in a line below the details. */
  links?: ReactNode
  /** The details. */
  children: ReactNode
  /** Content below a card, and in the details of a row. */
  below?: ReactNode
}

/** Shows a signature or a seal, with its actions. */
export function CertificateCard({
  family,
  className = 'diploma',
  isActive,
  title,
  owner,
  badge,
  action,
  actions,
  links,
  children,
  below,
}: CertificateItem) {
  const id = useId()
  return (
    <>
      <article className={`card certificate ${className}`} aria-labelledby={`${id}t ${id}o`}>
        <Medallion family={family} size={104} isOff={!isActive} />
        <div className="certificate__main">
          <div className="certificate__top">
            <h3 id={`${id}t`} tabIndex={-1} className="certificate__title">
              {title}
            </h3>
            {badge}
          </div>
          <p id={`${id}o`} className="soft">
            {owner}
          </p>
          {children}
          {links && <div className="certificate__links">{links}</div>}
        </div>
        <div className="certificate__act">
          {action}
          {actions}
        </div>
      </article>
      {below}
    </>
  )
}
