/** A country's name in a language, by its ISO 3166-1 code; empty when the browser does not know it. */
export const countryIn = (language: string, country: string): string =>
  new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }).of(country) ?? ''
