import type { Text } from '../../contract/enums.ts'
import { isSuspended } from '../../pki/asn1/suspended-status.ts'
import type { SignatureProblem } from '../../pki/pades/pades-report.ts'
import { problemText } from '../text/signature-problem-text.ts'
import { isAuthorityRevoked, seriousProblems, type ReportedSignature } from './file-report.ts'

/** Problems that mean something else for a file of anyone than for an upload to the portal. */
const ownTexts: Partial<Record<SignatureProblem, Text>> = {
  'path-untrusted': {
    pl: 'Wystawcy certyfikatu nie ma wśród zaufanych w\u00a0tym portalu, więc nie możemy potwierdzić, kto podpisał.',
    en: 'The issuer of the certificate isn’t trusted by this portal, so we can’t confirm who signed.',
  },
  'path-expired': {
    pl: 'W\u00a0chwili, którą można potwierdzić, certyfikat nie był ważny.',
    en: 'At the time that can be confirmed, the certificate wasn’t valid.',
  },
  'path-not-granted': {
    pl: 'Wystawca certyfikatu nie miał statusu zaufanego, gdy go wydał albo w\u00a0chwili, którą można potwierdzić.',
    en: 'The certificate’s issuer didn’t have trusted status when it issued it, or at the time that can be confirmed.',
  },
}

/** Texts for the signature's own certificate, and for one of the authorities above it. */
const revocationTexts: Record<'suspended' | 'revoked', { own: Text; authority: Text }> = {
  suspended: {
    own: {
      pl: 'Certyfikat podpisu był wtedy zawieszony.',
      en: 'The signature’s certificate was suspended at the time.',
    },
    authority: {
      pl: 'Certyfikat wystawcy był wtedy zawieszony.',
      en: 'The issuer’s certificate was suspended at the time.',
    },
  },
  revoked: {
    own: { pl: 'Certyfikat podpisu był unieważniony.', en: 'The signature’s certificate was revoked.' },
    authority: { pl: 'Certyfikat wystawcy był unieważniony.', en: 'The issuer’s certificate was revoked.' },
  },
}

/** Returns the texts on what is wrong or could not be found out, each text once. */
export const problemTexts = (signature: ReportedSignature): Text[] => [
  ...new Set(seriousProblems(signature).map((code) => textOf(code, signature))),
]

function textOf(code: SignatureProblem, signature: ReportedSignature): Text {
  if (code !== 'revoked') return ownTexts[code] ?? problemText[code]
  const texts = revocationTexts[isSuspended(signature.revocation) ? 'suspended' : 'revoked']
  return isAuthorityRevoked(signature) ? texts.authority : texts.own
}

export const sameContent: Text = { pl: 'Treść się nie zmieniła.', en: 'The content hasn’t changed.' }
