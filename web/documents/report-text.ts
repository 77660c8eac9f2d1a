import type { FileProblem, SignatureProblem, UploadReport } from '../../contract/document-report.ts'
import type { Text } from '../../contract/enums.ts'

/** Advice on problems; several problems can have the same one. */
const advices = {
  sign: {
    pl: 'Podpisz pobrany dokument w\u00a0formacie PAdES, zapisz go jako PDF i\u00a0wybierz ten plik.',
    en: 'Sign the downloaded document in the PAdES format, save it as a PDF and choose that file.',
  },
  again: {
    pl: 'Pobierz dokument ponownie, podpisz go jeszcze raz i\u00a0nic więcej w\u00a0nim nie zmieniaj.',
    en: 'Download the document again, sign it, and don’t change anything else in it.',
  },
  right: { pl: 'Podpisz plik pobrany z\u00a0tej sprawy.', en: 'Sign the file you downloaded from this case.' },
  own: { pl: 'Podpisz dokument własnym podpisem.', en: 'Sign the document with your own signature.' },
  certificate: {
    pl: 'Użyj podpisu kwalifikowanego z\u00a0ważnym certyfikatem.',
    en: 'Use a qualified signature with a valid certificate.',
  },
  program: {
    pl: 'Podpisz dokument w\u00a0aktualnym programie do podpisu kwalifikowanego, w\u00a0formacie PAdES.',
    en: 'Sign the document with up-to-date software for qualified signatures, in the PAdES format.',
  },
  compare: {
    pl: 'Porównaj strony z\u00a0pobranym dokumentem. Jeśli są takie same, prześlij plik: sprawdzimy go i\u00a0wyślemy wynik e-mailem.',
    en: 'Compare the pages with the document you downloaded. If they match, upload the file: we’ll check it and e-mail you the result.',
  },
  us: {
    pl: 'Możesz przesłać dokument. Sprawdzimy to podczas weryfikacji i\u00a0wyślemy wynik e-mailem.',
    en: 'You can upload the document. We’ll check this later and e-mail you the result.',
  },
} satisfies Record<string, Text>

export type Advice = keyof typeof advices
export const adviceText: Record<Advice, Text> = advices

/** Advice on each finding of the check, if it is a problem (DOC-8). */
export const adviceOf: Record<FileProblem | SignatureProblem, Advice> = {
  'no-signature': 'sign',
  'several-signatures': 'again',
  'other-document': 'right',
  'changed-before-signing': 'again',
  'active-content': 'again',
  'covers-content': 'us',
  'looks-different': 'compare',
  'not-comparable': 'compare',
  'signature-damaged': 'again',
  'signature-format': 'program',
  'byte-range-malformed': 'again',
  'byte-range-gap': 'again',
  'byte-range-partial': 'again',
  'signature-replaced': 'again',
  'changed-after-signing': 'again',
  'timestamp-invalid': 'again',
  'signing-certificate-missing': 'program',
  'signing-certificate-weak': 'program',
  revoked: 'certificate',
  'revocation-unknown': 'us',
  'not-qualified': 'certificate',
  'key-usage': 'certificate',
  'other-signer': 'own',
  padding: 'again',
  'shared-field': 'again',
  'large-field': 'again',
  'path-untrusted': 'certificate',
  'path-expired': 'certificate',
  'path-not-granted': 'certificate',
  'path-not-authority': 'certificate',
  'path-constrained': 'certificate',
  'path-weak': 'certificate',
  'cms-unreadable': 'again',
  'cms-signers': 'program',
  'cms-content': 'program',
  'cms-no-certificate': 'program',
  'cms-attributes': 'program',
  'cms-bare': 'program',
  'cms-digest': 'again',
  'cms-algorithm': 'program',
  'cms-signature': 'again',
  'cms-signing-certificate': 'program',
}

export const verdictText: Record<UploadReport['verdict'], { title: Text; pastTitle: Text; text: Text }> = {
  accepted: {
    title: { pl: 'Podpis jest prawidłowy', en: 'The signature is valid' },
    pastTitle: {
      pl: 'Podpis wstępnie sprawdzony: bez zastrzeżeń.',
      en: 'First check of the signature: no problems found.',
    },
    text: { pl: 'Możesz przesłać dokument.', en: 'You can upload the document.' },
  },
  pending: {
    title: { pl: 'Nie wszystko udało się sprawdzić', en: 'We couldn’t check everything' },
    pastTitle: {
      pl: 'Przed przesłaniem nie wszystko udało się sprawdzić.',
      en: 'Before the upload, we couldn’t check everything.',
    },
    text: adviceText.us,
  },
  refused: {
    title: { pl: 'Nie możemy przyjąć tego pliku', en: 'We can’t accept this file' },
    pastTitle: { pl: 'Nie możemy przyjąć tego pliku', en: 'We can’t accept this file' },
    text: {
      pl: 'Nic nie zostało przesłane. Zobacz dlaczego i\u00a0wybierz inny plik.',
      en: 'Nothing has been uploaded. See what’s wrong and choose another file.',
    },
  },
}

export const sameDocumentText: Record<UploadReport['document'], Text> = {
  'same-bytes': { pl: 'To dokument z\u00a0tej sprawy', en: 'This is the document from this case' },
  'same-content': {
    pl: 'Strony są takie same jak w\u00a0dokumencie z\u00a0tej sprawy',
    en: 'The pages match the document from this case',
  },
  other: { pl: 'To nie jest dokument z\u00a0tej sprawy', en: 'This isn’t the document from this case' },
}
