import { braidAngles, ringPath } from './guilloche.ts'

export type BraidShape = Parameters<typeof ringPath>[0] & { strands: number }

/** Drawn once: a ring has thousands of points. */
const drawn = new Map<string, string>()

function drawnRing(id: string, shape: BraidShape) {
  const path = drawn.get(id) ?? ringPath(shape)
  drawn.set(id, path)
  return path
}

/** One ring and its turned copies. The id must be the only one of its name on the page. */
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
