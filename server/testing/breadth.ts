import { inject } from 'vitest'
import { locales, type Locale } from '../../contract/enums.ts'

declare module 'vitest' {
  interface ProvidedContext {
    exhaustive: boolean
  }
}

/**
 * `npm test` proves every requirement once; `npm run test:all` runs the exhaustive rest: larger bursts, longer fuzz
 * runs, every combination. Files that import this one belong to both commands (vitest.config.ts).
 */
export const exhaustive = inject('exhaustive')

/** Returns the language of a journey: `npm test` uses the given one, `npm run test:all` the other. */
export const language = (own: Locale): Locale => locales.find((locale) => (locale === own) !== exhaustive)!

/**
 * Spreads many cases over many tests: each call takes the next few of a list, so that all of them occur somewhere;
 * `npm run test:all` takes all of them everywhere.
 */
export function fewInTurn(few: number) {
  let next = 0
  return <T>(all: readonly T[]): readonly T[] =>
    exhaustive || all.length <= few ? all : Array.from({ length: few }, () => all[next++ % all.length]!)
}
