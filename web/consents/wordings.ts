import type { ConsentKind } from '../../contract/legal/consent-statements.ts'
import type { Wording } from '../../contract/consents.ts'
import type { Locale } from '../../contract/enums.ts'

/** The wordings are loaded when needed, because they are longer than the pages that use them. */
const load = () => import('./shown-wordings.ts')

/** What this page shows of a document. */
export const loadWording = async (kind: ConsentKind, locale: Locale): Promise<Wording> =>
  (await load()).shownWording(kind, locale)

/** The SHA-256 of what this page shows, by which the server checks that it is the current wording (REG-5). */
export const hashWordings = async (locale: Locale): Promise<Record<ConsentKind, string>> =>
  (await load()).shownHashes(locale)
