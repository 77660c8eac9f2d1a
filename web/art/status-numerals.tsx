import { Braid } from './braid.tsx'

const centres = ['128 132', '380 150', '632 168']

/** Draws the status of an error, such as 404, filled with guilloche: one picture with one name. */
export function StatusNumerals({ status }: { status: string }) {
  return (
    <svg className="numerals" viewBox="0 0 760 300" role="img" aria-labelledby="numerals-text">
      <defs>
        {/* Once, because the server puts the status into a page at one place only. */}
        <text
          id="numerals-text"
          x="380"
          y="262"
          textAnchor="middle"
          fontFamily="var(--font-display)"
          fontSize="340"
          fontWeight="700"
        >
          {status}
        </text>
        <linearGradient id="numerals-ink" x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor="var(--iris-a)" />
          <stop offset=".5" stopColor="var(--iris-b)" />
          <stop offset="1" stopColor="var(--iris-c)" />
        </linearGradient>
        <clipPath id="numerals-shape">
          <use href="#numerals-text" />
        </clipPath>
        <g id="numerals-rosette">
          <Braid id="numerals-inner" shape={{ radius: 72, amplitude: 71, waves: 7, strands: 26 }} />
          <Braid id="numerals-outer" shape={{ radius: 176, amplitude: 38, waves: 16, strands: 10 }} />
        </g>
      </defs>
      <g fill="#fff" stroke="var(--ink)" strokeWidth="4.5" strokeLinejoin="round" paintOrder="stroke">
        <use href="#numerals-text" />
      </g>
      <g clipPath="url(#numerals-shape)" fill="none" stroke="url(#numerals-ink)" strokeWidth=".95">
        {centres.map((centre) => (
          <use key={centre} href="#numerals-rosette" transform={`translate(${centre})`} />
        ))}
      </g>
    </svg>
  )
}
