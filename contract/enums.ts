import * as z from 'zod/mini'
import { component } from './documented.ts'

export const locales = ['pl', 'en'] as const
export const Locale = component('Locale', 'A language: Polish or English.', z.enum(locales))
export type Locale = z.infer<typeof Locale>

/** A text in both languages: a missing one does not compile. */
export type Text = Record<Locale, string>

/** Returns the keys of an object whose type names all of them. */
export const keysOf = <T extends object>(object: T) => Object.keys(object) as (keyof T & string)[]
