import type { Country } from '../../contract/rules/phone.ts'

/** Decoration: the country's name and code are always next to it (ux 5.3). It is loaded when it is about to be seen. */
export const CountryFlag = ({ country }: { country: Country }) => (
  <img className="flag" src={`/flags/${country}.svg`} alt="" loading="lazy" />
)
