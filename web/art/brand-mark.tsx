import { config } from '../app/config.ts'

const wax =
  'M20 1.6c2.6-.3 4.2 1.9 6.6 2.6 2.5.8 5.2.2 6.9 2.2 1.7 1.9.8 4.6 1.7 7 .8 2.3 3.2 3.9 3.2 6.6s-2.3 4.3-3.1 6.6c-.9 2.5 0 5.2-1.8 7.1-1.8 1.8-4.5 1.1-6.9 2-2.4.8-4 3-6.6 2.8-2.5-.2-4-2.3-6.3-3-2.5-.8-5.3.1-7.1-1.8-1.8-1.9-1-4.6-1.8-7.1-.8-2.3-3.1-3.9-3.2-6.5-.1-2.7 2.3-4.3 3.2-6.7.8-2.3-.1-5 1.6-6.9 1.8-2 4.6-1.5 7.1-2.3 2.3-.7 3.9-2.3 6.5-2.6Z'

/** Shows the mark of wax with a letter pressed into it, or the provider's own, and the name of the portal. */
export function BrandMark() {
  return (
    <>
      <svg viewBox="0 0 40 40" aria-hidden="true">
        {config.mark ? (
          <image href={config.mark} width="40" height="40" />
        ) : (
          <>
            <path className="wax-fill" d={wax} />
            <circle cx="20" cy="20" r="13.2" fill="none" stroke="#fff" strokeOpacity=".55" strokeWidth=".9" />
            <path
              fill="none"
              stroke="#fff"
              strokeWidth="2.6"
              strokeLinecap="round"
              d="M25.4 15.1c-1.1-1.9-3-2.9-5.4-2.9-3 0-5.2 1.5-5.2 3.9 0 2.5 2.1 3.3 5.2 4 3.1.7 5.4 1.5 5.4 4.1 0 2.4-2.3 3.8-5.4 3.8-2.6 0-4.7-1-5.8-3"
            />
          </>
        )}
      </svg>
      <b translate="no">{config.brand.product}</b>
    </>
  )
}

/** Draws the mark of the current menu entry. */
export function WaxMark() {
  return (
    <svg className="wax" viewBox="0 0 40 40" aria-hidden="true">
      <path className="wax-fill" d={wax} />
      <circle cx="20" cy="20" r="10" fill="none" stroke="#fff" strokeOpacity=".6" strokeWidth="2.4" />
    </svg>
  )
}
