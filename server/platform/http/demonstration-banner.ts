import type { Locale } from '../contract/enums.ts'

const words = {
  pl: { name: 'Demonstracja', text: 'To demonstracja. Nie podawaj prawdziwych danych.' },
  en: { name: 'Demonstration', text: 'This is a demonstration. Do not enter real data.' },
}

/** What every page of a demonstration says (R122). It is in the page before React, which leaves it alone. */
export const withDemonstrationBanner = (html: string, locale: Locale): string =>
  html.replace(
    '<body>',
    `<body><aside class="demo" aria-label="${words[locale].name}"><strong>${words[locale].text}</strong></aside>`,
  )

const height = '30px'

/** Its sheet. Layouts that fill the window, and what is fixed at its upper edge, leave room for it from the first paint on. */
export const demonstrationSheet = [
  `html{scroll-padding-top:calc(${height} + 8px)}`,
  `.demo{position:sticky;top:0;z-index:10;box-sizing:border-box;min-height:${height};padding:4px 16px;background:var(--warn-bg);color:var(--warn);border-bottom:1px solid var(--warn-line);font-size:.875rem;line-height:1.25rem;text-align:center}`,
  `.app,.auth,.plain,.focus,.err{min-height:calc(100vh - ${height})}`,
  `@media (min-width:1024px){.side,.auth__art{top:${height};height:calc(100vh - ${height})}}`,
  `@media print{.demo{position:static}}`,
].join('')
