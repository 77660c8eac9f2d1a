import type { Wording } from '../../contract/consents.ts'
import type { Locale } from '../../contract/enums.ts'
import type { ConsentKind } from '../../contract/legal/consent-statements.ts'

/** Loads the wordings when needed, because they are longer than the pages that use them. */
const load = () => import('./shown-wordings.ts')

export const loadWording = async (kind: ConsentKind, locale: Locale): Promise<Wording> =>
  (await load()).shownWording(kind, locale)

/** Returns the SHA-256 of each wording that this page shows, by which the server checks that it is the current one (REG-5). */
export const hashWordings = async (locale: Locale): Promise<Record<ConsentKind, string>> =>
  (await load()).computeShownHashes(locale)
