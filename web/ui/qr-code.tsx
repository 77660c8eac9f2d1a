import { encode } from 'uqr'
import { useText } from '../locale.tsx'

/** A QR code with its quiet zone of four modules (ISO/IEC 18004 §9.1), drawn as one path. */
export function QrCode({ content }: { content: string }) {
  const t = useText()
  const { data, size } = encode(content, { ecc: 'M', border: 0 })
  return (
    <div
      className="qr__code"
      role="img"
      aria-label={t({
        pl: 'Kod QR do zeskanowania w\u00a0aplikacji mobilnej',
        en: 'QR code to scan with the mobile app',
      })}
    >
      <svg viewBox={`-4 -4 ${size + 8} ${size + 8}`} shapeRendering="crispEdges" aria-hidden="true">
        <path fill="#0E2433" d={darkModules(data)} />
      </svg>
    </div>
  )
}

const darkModules = (rows: boolean[][]) =>
  rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
