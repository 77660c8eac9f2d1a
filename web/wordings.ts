import type { ConsentKind } from '../contract/consent-statements.ts'
import type { Wording } from '../contract/consents.ts'
import type { Locale } from '../contract/enums.ts'

/** The wordings come when they are asked for: they are longer than the pages that need them. */
const load = () => import('./shown-wordings.ts')

/** What this page shows of a document. */
export const loadWording = async (kind: ConsentKind, locale: Locale): Promise<Wording> =>
  (await load()).shownWording(kind, locale)

/** The SHA-256 of what this page shows, by which the server knows whether it is what it would show now (REG-5). */
export const hashWordings = async (locale: Locale): Promise<Record<ConsentKind, string>> =>
  (await load()).shownHashes(locale)
