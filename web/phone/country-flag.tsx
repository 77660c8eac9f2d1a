import type { Country } from '../../contract/rules/phone.ts'
import { drawFlag } from './flag-drawing.ts'
import { flags } from './flag-table.ts'

/** Decoration: the country's name and code are always next to it (ux 5.3). */
export function CountryFlag({ country }: { country: Country }) {
  const drawings = flags[country]
  const paths = drawFlag(drawings.startsWith('=') ? flags[drawings.slice(1) as Country] : drawings)
  return (
    <svg className="flag" viewBox="0 0 24 16" aria-hidden="true">
      {paths.map(([fill, d], layer) => (
        <path key={layer} fill={fill} d={d} />
      ))}
    </svg>
  )
}
