import { braidAngles, ringPath } from './guilloche.ts'

export type BraidShape = Parameters<typeof ringPath>[0] & { strands: number }

/** One ring and its turned copies. The id must be the only one of its name on the page. */
export function Braid({ id, shape }: { id: string; shape: BraidShape }) {
  return (
    <>
      <path id={id} d={ringPath(shape)} />
      {braidAngles(shape.waves, shape.strands).map((angle) => (
        <use key={angle} href={`#${id}`} transform={`rotate(${angle})`} />
      ))}
    </>
  )
}
