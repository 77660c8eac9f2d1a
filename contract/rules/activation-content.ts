import * as z from 'zod/mini'
import { component, described } from '../documented.ts'
import { patternText, Instant } from '../fields.ts'
import { limits } from '../limits.ts'

/**
 * Returns the schema of printable ASCII without spaces at its ends: an app expects nothing else, and other characters could hide in the
 * page.
 */
const printable = (longest: number) => patternText(longest, /^[!-~](?:[ -~]*[!-~])?$/)

/** Schemes that a browser would run or read itself, instead of handing the link to an app. */
const runsInBrowser = /^\s*(?:javascript|data|vbscript|file|blob|about):/i

/** Checks whether content can be offered as a link that opens the app on the same phone. */
export const isAppLink = (content: string): boolean =>
  /^[a-z][a-z\d+.-]{1,39}:\S+$/i.test(content) && !runsInBrowser.test(content)

export const ActivationContent = component(
  'ActivationContent',
  'What a signing app scans.',
  z.strictObject({
    content: described(
      'The content of the QR code: a link or a code, at most 512 printable ASCII characters.',
      printable(limits.activation.contentLength).check(z.refine((content) => !runsInBrowser.test(content), 'format')),
    ),
    code: described(
      'What can be typed into the app instead, at most 64 printable ASCII characters; null if nothing can.',
      z.nullable(printable(limits.activation.codeLength)),
    ),
    expiresAt: described('From when on it is not shown any more.', Instant),
  }),
)
export type ActivationContent = z.infer<typeof ActivationContent>
