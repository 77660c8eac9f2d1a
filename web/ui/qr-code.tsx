import { encode } from 'uqr'

/** Draws a QR code as one path, with its quiet zone of four modules (ISO/IEC 18004 §9.1). */
export function QrCode({ content, label }: { content: string; label: string }) {
  const { data, size } = encode(content, { ecc: 'M', border: 0 })
  return (
    <div className="qr__code" role="img" aria-label={label}>
      <svg viewBox={`-4 -4 ${size + 8} ${size + 8}`} shapeRendering="crispEdges" aria-hidden="true">
        <path fill="#0E2433" d={darkModules(data)} />
      </svg>
    </div>
  )
}

const darkModules = (rows: boolean[][]) =>
  rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
