import type { FileProblem, SignatureProblem, UploadReport } from '../../contract/document-report.ts'
import type { Text } from '../../contract/enums.ts'

/** What to do about a problem; several problems can have the same advice. */
const advices = {
  sign: {
    pl: 'Podpisz pobrany dokument w\u00a0formacie PAdES, zapisz go jako PDF i\u00a0wybierz ten plik.',
    en: 'Sign the downloaded document in the PAdES format, save it as a PDF and choose that file.',
  },
  again: {
    pl: 'Pobierz dokument ponownie, podpisz go jeszcze raz i\u00a0nic więcej w\u00a0nim nie zmieniaj.',
    en: 'Download the document again, sign it, and don’t change anything else in it.',
  },
  right: {
    pl: 'Podpisz plik pobrany z\u00a0tej sprawy.',
    en: 'Sign the file you downloaded from this case.',
  },
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

const damaged: Text = {
  pl: 'Podpis jest uszkodzony i\u00a0nie można go odczytać.',
  en: 'The signature is damaged and can’t be read.',
}
const untrusted: Text = {
  pl: 'Certyfikat podpisu nie pochodzi od zaufanego dostawcy.',
  en: 'The signature’s certificate isn’t from a trusted provider.',
}
const altered: Text = { pl: 'Dokument zmieniono po podpisaniu.', en: 'The document was changed after it was signed.' }
const partial: Text = {
  pl: 'Podpis nie obejmuje całego dokumentu.',
  en: 'The signature doesn’t cover the whole document.',
}
const notBound: Text = {
  pl: 'Podpis nie jest związany z\u00a0certyfikatem podpisującego.',
  en: 'The signature isn’t linked to the signer’s certificate.',
}

type ProblemText = { text: Text; advice: Advice }
const problem = (advice: Advice, pl: string, en: string): ProblemText => ({ text: { pl, en }, advice })

/** The text of every finding of the check, and what to do where it is a problem (DOC-8). */
export const problemText: Record<FileProblem | SignatureProblem, ProblemText> = {
  'no-signature': problem('sign', 'W\u00a0tym pliku nie ma podpisu.', 'There’s no signature in this file.'),
  'several-signatures': problem(
    'again',
    'W\u00a0pliku jest więcej niż jeden podpis.',
    'There’s more than one signature in the file.',
  ),
  'other-document': problem(
    'right',
    'To nie jest dokument z\u00a0tej sprawy.',
    'This isn’t the document from this case.',
  ),
  'changed-before-signing': problem(
    'again',
    'Dokument zmieniono przed podpisaniem.',
    'The document was changed before it was signed.',
  ),
  'active-content': problem(
    'again',
    'W\u00a0pliku są skrypty albo załączniki, których nie było w\u00a0dokumencie.',
    'There are scripts or attachments in the file that weren’t in the document.',
  ),
  'covers-content': problem(
    'us',
    'Widoczny podpis zasłania treść dokumentu albo nie można tego sprawdzić automatycznie.',
    'The visible signature covers content of the document, or we can’t check that automatically.',
  ),
  'looks-different': problem(
    'compare',
    'Strony tego pliku mogą różnić się od dokumentu z\u00a0tej sprawy.',
    'The pages of this file may differ from the document in this case.',
  ),
  'not-comparable': problem(
    'compare',
    'Nie udało się porównać stron tego pliku z\u00a0dokumentem z\u00a0tej sprawy.',
    'We couldn’t compare the pages of this file with the document in this case.',
  ),
  'signature-damaged': { text: damaged, advice: 'again' },
  'signature-format': problem(
    'program',
    'Podpis nie jest w\u00a0formacie PAdES.',
    'The signature isn’t in the PAdES format.',
  ),
  'byte-range-malformed': { text: damaged, advice: 'again' },
  'byte-range-gap': { text: partial, advice: 'again' },
  'byte-range-partial': { text: partial, advice: 'again' },
  'signature-replaced': { text: altered, advice: 'again' },
  'changed-after-signing': { text: altered, advice: 'again' },
  'timestamp-invalid': problem(
    'again',
    'Znacznik czasu w\u00a0podpisie jest nieprawidłowy.',
    'The timestamp in the signature isn’t valid.',
  ),
  'signing-certificate-missing': { text: notBound, advice: 'program' },
  'signing-certificate-weak': { text: notBound, advice: 'program' },
  revoked: problem(
    'certificate',
    'Certyfikat podpisu był unieważniony albo zawieszony.',
    'The signature’s certificate was revoked or suspended.',
  ),
  'revocation-unknown': problem(
    'us',
    'Nie udało się teraz sprawdzić, czy certyfikat nie jest unieważniony.',
    'We couldn’t check whether the certificate has been revoked.',
  ),
  'not-qualified': problem('certificate', 'To nie jest podpis kwalifikowany.', 'This isn’t a qualified signature.'),
  'key-usage': problem(
    'certificate',
    'Ten certyfikat nie służy do podpisywania.',
    'This certificate isn’t meant for signing.',
  ),
  'other-signer': problem('own', 'Podpis złożył ktoś inny niż Ty.', 'Someone else signed it, not you.'),
  padding: problem('again', 'Za podpisem są zbędne dane.', 'There’s extra data after the signature.'),
  'shared-field': problem(
    'again',
    'Jedno pole podpisu pojawia się w\u00a0kilku miejscach.',
    'One signature field appears in several places.',
  ),
  'large-field': problem(
    'again',
    'Widoczny podpis zajmuje dużą część strony.',
    'The visible signature takes up a large part of the page.',
  ),
  'path-untrusted': { text: untrusted, advice: 'certificate' },
  'path-expired': problem(
    'certificate',
    'Certyfikat podpisu wygasł albo jeszcze nie jest ważny.',
    'The signature’s certificate has expired or isn’t valid yet.',
  ),
  'path-not-authority': { text: untrusted, advice: 'certificate' },
  'path-constrained': { text: untrusted, advice: 'certificate' },
  'path-weak': problem(
    'certificate',
    'Certyfikat podpisu korzysta ze zbyt słabego algorytmu.',
    'The signature’s certificate uses an algorithm that’s too weak.',
  ),
  'cms-unreadable': { text: damaged, advice: 'again' },
  'cms-signers': { text: damaged, advice: 'program' },
  'cms-content': { text: damaged, advice: 'program' },
  'cms-no-certificate': problem(
    'program',
    'W\u00a0podpisie brakuje certyfikatu.',
    'The signature lacks its certificate.',
  ),
  'cms-attributes': { text: damaged, advice: 'program' },
  'cms-digest': { text: altered, advice: 'again' },
  'cms-algorithm': problem(
    'program',
    'Podpis złożono algorytmem, którego nie przyjmujemy.',
    'The signature uses an algorithm we don’t accept.',
  ),
  'cms-signature': problem(
    'again',
    'Podpis nie zgadza się z\u00a0certyfikatem.',
    'The signature doesn’t match its certificate.',
  ),
  'cms-signing-certificate': { text: notBound, advice: 'program' },
}

export const verdictText: Record<UploadReport['verdict'], { title: Text; pastTitle: Text; text: Text }> = {
  accepted: {
    title: { pl: 'Podpis jest prawidłowy', en: 'The signature is valid' },
    pastTitle: {
      pl: 'Podpis wstępnie sprawdzony: bez zastrzeżeń.',
      en: 'First check of the signature: no problems found.',
    },
    text: {
      pl: 'Możesz przesłać dokument.',
      en: 'You can upload the document.',
    },
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
