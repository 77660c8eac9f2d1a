import { useId, useState } from 'react'
import { useText } from '../app/locale.tsx'
import { Medallion } from '../art/medallion.tsx'
import { Button } from '../ui/button.tsx'
import type { CertificateItem } from './certificate-card.tsx'

/**
 * Shows an item of a long list as a row (UIX-10); the parts that only a card shows open below it. On a phone a closed row has no room for
 * its identifier and for `certificate-row__extra`, which are then only for screen readers.
 */
export function CertificateRow(item: CertificateItem) {
  const { family, isActive, title, owner, identifier, badge, end, action, actions, links, children, below } = item
  const t = useText()
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const names = `${id}t ${id}o`
  return (
    <article className={isOpen ? 'certificate-row is-open' : 'certificate-row'} aria-labelledby={names}>
      <Medallion family={family} size={40} isOff={!isActive} />
      <div className="certificate-row__main">
        <h3 id={`${id}t`} tabIndex={-1}>
          {title}
        </h3>
        <p id={`${id}o`} className="soft small">
          {owner}
        </p>
      </div>
      {/* The details below have both. */}
      <p className="certificate-row__id small soft">{!isOpen && identifier}</p>
      <div className="certificate-row__state">
        {badge}
        <p id={`${id}e`} className="small soft" hidden={isOpen}>
          {end}
        </p>
      </div>
      <div className="certificate-row__act">{action}</div>
      <Button
        id={`${id}m`}
        variant="quiet"
        size="s"
        icon="down"
        className="certificate-row__open"
        aria-expanded={isOpen}
        aria-labelledby={`${id}m ${names} ${id}e`}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span className="certificate-row__word">
          {isOpen ? t({ pl: 'Mniej', en: 'Less' }) : t({ pl: 'Więcej', en: 'More' })}
        </span>
      </Button>
      {isOpen && (
        <div className="certificate-row__more">
          <div>{children}</div>
          <div className="certificate__act">
            {actions}
            {links}
          </div>
          {below && <div className="certificate-row__below">{below}</div>}
        </div>
      )}
    </article>
  )
}
