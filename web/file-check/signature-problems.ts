import type { Text } from '../../contract/enums.ts'
import type { SignatureProblem } from '../../pki/pades/pades-report.ts'
import { problemText } from '../text/signature-problem-text.ts'
import { seriousProblems, type CheckedSignature } from './file-report.ts'

/** Problems that mean something else for a file of anyone than for an upload to the portal. */
const ownTexts: Partial<Record<SignatureProblem, Text>> = {
  'path-untrusted': {
    pl: 'Wystawcy certyfikatu nie ma wśród zaufanych w\u00a0tym portalu, więc nie możemy potwierdzić, kto podpisał.',
    en: 'The issuer of the certificate isn’t trusted by this portal, so we can’t confirm who signed.',
  },
  'path-expired': {
    pl: 'W\u00a0chwili, którą można potwierdzić, certyfikat nie był ważny albo jego wystawca nie miał wtedy statusu zaufanego.',
    en: 'At the time that can be confirmed, the certificate wasn’t valid, or its issuer didn’t have trusted status.',
  },
}

/** What is wrong or could not be found out, each text once. */
export const problemTexts = (signature: CheckedSignature): Text[] => [
  ...new Set(seriousProblems(signature).map((code) => ownTexts[code] ?? problemText[code])),
]

export const sameContent: Text = { pl: 'Treść się nie zmieniła.', en: 'The content hasn’t changed.' }
