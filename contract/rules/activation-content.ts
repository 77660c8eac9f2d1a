import * as z from 'zod/mini'
import { formed, Instant } from '../fields.ts'
import { limits } from '../limits.ts'

/** Printable ASCII without spaces at its ends: anything else is not what an app expects, and could hide in the page. */
const printable = (longest: number) => formed(longest, /^[!-~](?:[ -~]*[!-~])?$/)

/** Schemes that a browser would run or read itself, instead of handing the link to an app. */
const runsInBrowser = /^\s*(?:javascript|data|vbscript|file|blob|about):/i

/** Whether content can be offered as a link that opens the app on the same phone. */
export const isAppLink = (content: string): boolean =>
  /^[a-z][a-z\d+.-]{1,39}:\S+$/i.test(content) && !runsInBrowser.test(content)

/** What a signing app scans, as the provider or its signing service gives it (APP-2, APP-3). */
export const ActivationContent = z.strictObject({
  /** The content of the QR code: a link or a code. */
  content: printable(limits.activation.content).check(z.refine((content) => !runsInBrowser.test(content), 'format')),
  /** What can be typed into the app instead, for those who cannot scan. */
  code: z.nullable(printable(limits.activation.code)),
  /** From then on it is not shown any more. */
  expiresAt: Instant,
})
export type ActivationContent = z.infer<typeof ActivationContent>
