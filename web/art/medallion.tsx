import { Braid } from './braid.tsx'
import { Icon, type IconName } from './icons.tsx'
import './medallion.css'

/** The product families; each has a rosette of its own shape, so hue is never the only cue. */
export type Family = 'signature' | 'seal' | 'timestamp'

const icons = { signature: 'pen', seal: 'stamp', timestamp: 'clock' } as const
const looks = { signature: '', seal: ' medallion--seal', timestamp: ' medallion--time' }

type Props = { family: Family; icon?: IconName | undefined; size?: 40 | 60 | 64 | 72 | 88 | 96 | 104; isOff?: boolean }

/** Draws a product's emblem. Needs MedallionSymbols once on the page; the signed-in layout has them. */
export function Medallion({ family, icon = icons[family], size = 88, isOff }: Props) {
  return (
    <span
      className={`medallion medallion--${size}${looks[family]}${isOff ? ' medallion--off' : ''}`}
      aria-hidden="true"
    >
      {/* At the size of a row the rosette would be a blur: it is a ring there. */}
      {size > 40 && (
        <svg className="guilloche">
          <use href={`#medallion-${family}`} />
        </svg>
      )}
      <Icon name={icon} />
    </span>
  )
}

const viewBox = '-60 -60 120 120'

/** Draws the rosettes, once a page; `<use>` shows them. */
export function MedallionSymbols() {
  return (
    <svg className="symbols" aria-hidden="true">
      <symbol id="medallion-signature" viewBox={viewBox}>
        <Braid id="ring-signature" shape={{ radius: 45, amplitude: 12, waves: 9, strands: 9 }} />
      </symbol>
      <symbol id="medallion-seal" viewBox={viewBox}>
        <Braid id="ring-seal" shape={{ radius: 51, amplitude: 6, waves: 24, strands: 4 }} />
        <circle r="42.6" />
        <Braid id="ring-seal-inner" shape={{ radius: 33, amplitude: 8, waves: 12, strands: 6 }} />
      </symbol>
      <symbol id="medallion-timestamp" viewBox={viewBox}>
        <circle r="58" />
        <Braid id="ring-timestamp" shape={{ radius: 42, amplitude: 13, waves: 6, strands: 12 }} />
      </symbol>
    </svg>
  )
}
