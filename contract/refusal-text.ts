import type { RefusalReason } from './documents.ts'
import type { Text } from './enums.ts'

/** The reasons why an upload was refused and what to do about it, in one wording for the mail and the page (DOC-6). */
export const refusalText: Record<RefusalReason, { why: Text; advice: Text }> = {
  'signature-invalid': {
    why: { pl: 'Podpis w\u00a0pliku jest nieprawidłowy.', en: 'The signature in the file isn’t valid.' },
    advice: {
      pl: 'Użyj podpisu kwalifikowanego w\u00a0formacie PAdES.',
      en: 'Use a qualified signature in the PAdES format.',
    },
  },
  'certificate-invalid': {
    why: {
      pl: 'Certyfikat podpisu był nieważny, zawieszony albo unieważniony.',
      en: 'The signature’s certificate had expired, or was suspended or revoked.',
    },
    advice: { pl: 'Użyj podpisu z\u00a0ważnym certyfikatem.', en: 'Use a signature with a valid certificate.' },
  },
  'other-signer': {
    why: { pl: 'Dokument podpisał ktoś inny niż Ty.', en: 'The document was signed by someone else.' },
    advice: { pl: 'Podpisz dokument własnym podpisem.', en: 'Sign the document with your own signature.' },
  },
  'other-document': {
    why: { pl: 'Przesłany plik to inny dokument.', en: 'The file you uploaded is a different document.' },
    advice: {
      pl: 'Podpisz plik pobrany z\u00a0tej samej sprawy, do której go przesyłasz.',
      en: 'Sign the file you downloaded from the same case.',
    },
  },
  changed: {
    why: {
      pl: 'Dokument zmieniono przed podpisaniem lub po nim.',
      en: 'The document was changed before or after signing.',
    },
    advice: {
      pl: 'Podpisz pobrany plik bez żadnych innych zmian.',
      en: 'Sign the downloaded file without changing anything else.',
    },
  },
  other: {
    why: { pl: 'Nie mogliśmy przyjąć przesłanego pliku.', en: 'We couldn’t accept the file you uploaded.' },
    advice: { pl: 'Zadzwoń do nas, a\u00a0powiemy, co zrobić.', en: 'Call us and we’ll tell you what to do.' },
  },
}
