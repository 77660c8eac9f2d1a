/**
 * Guilloche, the line art of banknotes: a closed wave wound around a circle. A braid is one such ring turned several times
 * by `<use>`, so its markup stays small.
 */
type Ring = {
  radius: number
  amplitude: number
  waves: number
  /** A second, finer wave upon the first. */
  second?: { amplitude: number; waves: number }
}

const segments = 4
const round = (value: number, step: number) => String(Math.round(value * step) / step)

/**
 * Returns the ring as the `d` of a path around the origin: cubic curves through four points a wave. After the first curve, each begins as
 * the one before it ends, so `S` leaves out its first control point.
 */
export function ringPath({ radius, amplitude, waves, second = { amplitude: 0, waves: 0 } }: Ring) {
  const count = waves * segments
  // The large ones are drawn at about a pixel a unit, so that half a unit is close enough, and saves half of the digits.
  const grain = radius > 60 ? 2 : 100
  const step = (2 * Math.PI) / count
  const at = (angle: number) => {
    const r = radius + amplitude * Math.sin(waves * angle) + second.amplitude * Math.sin(second.waves * angle)
    const slope =
      amplitude * waves * Math.cos(waves * angle) + second.amplitude * second.waves * Math.cos(second.waves * angle)
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)]
    return {
      x: r * cos,
      y: r * sin,
      dx: ((slope * cos - r * sin) * step) / 3,
      dy: ((slope * sin + r * cos) * step) / 3,
    }
  }
  let path = `M${radius} 0`
  for (let i = 0; i < count; i++) {
    const from = at(i * step)
    const to = at((i + 1) * step)
    const points = [to.x - to.dx, to.y - to.dy, to.x, to.y]
    if (i === 0) points.unshift(from.x + from.dx, from.y + from.dy)
    path += (i === 0 ? 'C' : 'S') + points.map((value) => round(value, grain)).join(' ')
  }
  return `${path}Z`
}

/** Returns the angles at which a ring of so many waves is repeated to make a braid of so many strands. */
export const braidAngles = (waves: number, strands: number) =>
  Array.from({ length: strands - 1 }, (_, i) => round(((i + 1) * 360) / waves / strands, 100))

export type BraidShape = Parameters<typeof ringPath>[0] & { strands: number }

/** The rings that are drawn already, since each has thousands of points. */
const drawn = new Map<string, string>()

function drawnRing(id: string, shape: BraidShape) {
  const path = drawn.get(id) ?? ringPath(shape)
  drawn.set(id, path)
  return path
}

/** Draws one ring and its turned copies. The id must be unique on the page. */
export function Braid({ id, shape }: { id: string; shape: BraidShape }) {
  return (
    <>
      <path id={id} d={drawnRing(id, shape)} />
      {braidAngles(shape.waves, shape.strands).map((angle) => (
        <use key={angle} href={`#${id}`} transform={`rotate(${angle})`} />
      ))}
    </>
  )
}
