/** The height of every flag is 16, its width 24. */
const [width, height] = [24, 16]

const colours: Record<string, string> = {
  w: '#fff',
  k: '#111',
  r: '#d21034',
  m: '#8a1538',
  o: '#f77f00',
  y: '#fcd116',
  e: '#b58a3c',
  g: '#00863d',
  d: '#006a4e',
  b: '#0047ab',
  n: '#012169',
  l: '#4189dd',
  s: '#75aadb',
  t: '#00a3b4',
  a: '#9ca3af',
}

/** One path of a flag: its fill and its `d`. */
export type FlagPath = readonly [fill: string, d: string]

const rect = (x: number, y: number, w: number, h: number) => `M${x} ${y}h${w}v${h}h${-w}z`
const polygon = (points: number[]) => `M${points.join(' ')}z`
const disc = (x: number, y: number, r: number) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`
const lowerHalf = (x: number, y: number, r: number) => `M${x - r} ${y}a${r} ${r} 0 0 0 ${2 * r} 0z`

function star(x: number, y: number, r: number) {
  const points = Array.from({ length: 10 }, (_, i) => {
    const [angle, far] = [(i * Math.PI) / 5, i % 2 ? r * 0.4 : r]
    return [short(x + far * Math.sin(angle)), short(y - far * Math.cos(angle))]
  })
  return polygon(points.flat())
}
const short = (n: number) => Math.round(n * 100) / 100

/** A disc without a smaller one next to it; the two circles meet at these parts of the radius. */
function crescent(x: number, y: number, r: number, upwards = false) {
  const [along, aside, inner] = [short(r * 0.69), short(r * 0.72), short(r * 0.8)]
  return upwards
    ? `M${x - aside} ${y - along}A${r} ${r} 0 1 0 ${x + aside} ${y - along}A${inner} ${inner} 0 1 1 ${x - aside} ${y - along}z`
    : `M${x + along} ${y - aside}A${r} ${r} 0 1 0 ${x + along} ${y + aside}A${inner} ${inner} 0 1 1 ${x + along} ${y - aside}z`
}

const cross = (middle: number, bar: number, w = width, h = height) =>
  rect(middle - bar / 2, 0, bar, h) + rect(0, (h - bar) / 2, w, bar)

function saltire(bar: number, w = width, h = height) {
  const [dx, dy] = [bar * 0.9, bar * 0.6]
  return (
    polygon([0, 0, dx, 0, w, h - dy, w, h, w - dx, h, 0, dy]) +
    polygon([w, 0, w - dx, 0, 0, h - dy, 0, h, dx, h, w, dy])
  )
}

const fillOf = (colour: string) => colours[colour] ?? ''

const unionJack = (w: number, h: number): FlagPath[] => [
  [fillOf('n'), rect(0, 0, w, h)],
  [fillOf('w'), saltire(h / 7, w, h) + cross(w / 2, h / 3, w, h)],
  [fillOf('r'), saltire(h / 18, w, h) + cross(w / 2, h / 5, w, h)],
]

/** `2yb` → yellow twice as wide as blue. */
function stripes(widths: string, down: boolean): FlagPath[] {
  const list = [...widths.matchAll(/(\d?)([a-z])/g)].map(([, wide, colour]) => ({
    part: Number(wide || 1),
    colour: colour ?? '',
  }))
  const whole = list.reduce((sum, { part }) => sum + part, 0)
  let before = 0
  return list.map(({ part, colour }) => {
    const at = before
    before += part
    const scaled = (n: number, length: number) => short((n / whole) * length)
    const d = down
      ? rect(scaled(at, width), 0, scaled(part, width), height)
      : rect(0, scaled(at, height), width, scaled(part, height))
    return [fillOf(colour), d]
  })
}

const shapes: Record<string, (...numbers: number[]) => string> = {
  f: () => rect(0, 0, width, height),
  r: (x, y, w, h) => rect(x, y, w, h),
  c: (x, y, r) => disc(x, y, r),
  q: (x, y, r) => lowerHalf(x, y, r),
  p: (...points) => polygon(points),
  t: (far) => polygon([0, 0, far, height / 2, 0, height]),
  s: (x, y, r) => star(x, y, r),
  m: (x, y, r) => crescent(x, y, r),
  M: (x, y, r) => crescent(x, y, r, true),
  '+': (bar) => cross(width / 2, bar),
  n: (bar) => cross(8.5, bar),
  x: (bar) => saltire(bar),
}

/** The paths of a flag, in the order they are painted. Throws on a drawing that it does not know. */
export function drawFlag(drawings: string): FlagPath[] {
  return drawings.split(' ').flatMap((drawing): FlagPath[] => {
    const [what, rest] = [drawing.charAt(0), drawing.slice(1)]
    if (what === 'u') return unionJack(width / 2, height / 2)
    if (what === 'U') return unionJack(width, height)
    if (what === 'h' || what === 'v') return stripes(rest, what === 'v')
    const [shape, fill] = [shapes[what], colours[rest[0] ?? '']]
    if (!shape || !fill) throw new Error(`unknown flag drawing ${drawing}`)
    return [[fill, shape(...rest.slice(1).split(',').map(Number))]]
  })
}
