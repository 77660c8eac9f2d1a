/** A country's name in a language, by its code of ISO 3166-1; empty when the browser knows none. */
export const countryIn = (language: string, country: string): string =>
  new Intl.DisplayNames([language], { type: 'region', fallback: 'none' }).of(country) ?? ''
