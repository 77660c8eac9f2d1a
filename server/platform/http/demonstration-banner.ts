import type { Locale } from '../../../contract/enums.ts'

const texts = {
  pl: { name: 'Demonstracja', text: 'To demonstracja. Nie podawaj prawdziwych danych.' },
  en: { name: 'Demonstration', text: 'This is a demonstration. Don’t enter real data.' },
}

/** The banner of a demonstration, at the start of every page (R122), outside of the part that React renders. */
export const demonstrationBanner = (locale: Locale): string =>
  `<aside class="demo" aria-label="${texts[locale].name}"><strong>${texts[locale].text}</strong></aside>`

const height = '30px'

/** Its style sheet. Full-height layouts and fixed parts at the upper edge leave room for it from the first paint on. */
export const demonstrationSheet = [
  `html{scroll-padding-top:calc(${height} + 8px)}`,
  `.demo{position:sticky;top:0;z-index:10;box-sizing:border-box;min-height:${height};padding:4px 16px;background:var(--warn-bg);color:var(--warn);border-bottom:1px solid var(--warn-line);font-size:.875rem;line-height:1.25rem;text-align:center}`,
  `.app,.auth,.plain,.focus,.err{min-height:calc(100vh - ${height})}`,
  `@media (min-width:1024px){.demo~* .side,.auth__art{top:${height};height:calc(100vh - ${height})}}`,
  `@media print,(max-height:400px){.demo{position:static}}`,
].join('')
