import { consentKinds, type ConsentKind, type Wording } from '../contract/consents.ts'
import type { Locale } from '../contract/enums.ts'
import { config } from './config.ts'

/** The wordings come when they are asked for: they are longer than the pages that need them. */
const load = () => import('../contract/wordings.ts')

/** What a page in this language shows of a document. */
export const loadWording = async (kind: ConsentKind, locale: Locale): Promise<Wording> =>
  (await load()).wordingOf(kind, locale, config.brand)

/** The SHA-256 of what this page shows, by which the server knows whether it is what it would show now (REG-5). */
export async function shownWordings(locale: Locale): Promise<Record<ConsentKind, string>> {
  const { wordingOf, written } = await load()
  const hashes = consentKinds.map(async (kind) => [kind, await sha256(written(wordingOf(kind, locale, config.brand)))])
  return Object.fromEntries(await Promise.all(hashes)) as Record<ConsentKind, string>
}

async function sha256(text: string) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
