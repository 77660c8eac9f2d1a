import type { Wording } from '../../contract/consents.ts'
import type { Locale } from '../../contract/enums.ts'
import { consentKinds, type ConsentKind } from '../../contract/legal/consent-statements.ts'
import { wordingOf, written } from '../../contract/legal/wordings.ts'
import { config } from '../app/config.ts'

export const shownWording = (kind: ConsentKind, locale: Locale): Wording => wordingOf(kind, locale, config.brand)

export async function computeShownHashes(locale: Locale): Promise<Record<ConsentKind, string>> {
  const hashes = consentKinds.map(async (kind) => [kind, await computeSha256(written(shownWording(kind, locale)))])
  return Object.fromEntries(await Promise.all(hashes)) as Record<ConsentKind, string>
}

async function computeSha256(text: string) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
