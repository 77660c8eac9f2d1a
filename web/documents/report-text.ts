import type { FileProblem, SignatureProblem, UploadReport } from '../../contract/document-report.ts'
import type { Text } from '../../contract/enums.ts'

/** What to do about a problem; several problems can have the same way out. */
const ways = {
  sign: {
    pl: 'Podpisz pobrany dokument w\u00a0formacie PAdES, zapisz go jako PDF i\u00a0wybierz ten plik.',
    en: 'Sign the downloaded document in the PAdES format, save it as a PDF, and choose that file.',
  },
  again: {
    pl: 'Pobierz dokument ponownie, podpisz go jeszcze raz i\u00a0nic więcej w\u00a0nim nie zmieniaj.',
    en: 'Download the document again, sign it once more, and change nothing else in it.',
  },
  right: {
    pl: 'Podpisz plik pobrany z\u00a0tej sprawy.',
    en: 'Sign the file that you downloaded from this case.',
  },
  own: { pl: 'Podpisz dokument własnym podpisem.', en: 'Sign the document with your own signature.' },
  certificate: {
    pl: 'Użyj podpisu kwalifikowanego z\u00a0ważnym certyfikatem.',
    en: 'Use a qualified signature with a valid certificate.',
  },
  program: {
    pl: 'Podpisz dokument w\u00a0aktualnym programie do podpisu kwalifikowanego, w\u00a0formacie PAdES.',
    en: 'Sign the document with an up-to-date program for qualified signatures, in the PAdES format.',
  },
  us: {
    pl: 'Możesz przesłać dokument. Rozstrzygniemy to przy weryfikacji i\u00a0wynik wyślemy e-mailem.',
    en: 'You can send the document. We will settle this when we verify it, and send the result by e-mail.',
  },
} satisfies Record<string, Text>

export type Way = keyof typeof ways
export const wayText: Record<Way, Text> = ways

const damaged: Text = {
  pl: 'Podpis jest uszkodzony i\u00a0nie da się go odczytać.',
  en: 'The signature is damaged and cannot be read.',
}
const untrusted: Text = {
  pl: 'Certyfikat podpisu nie pochodzi od zaufanego dostawcy.',
  en: 'The certificate of the signature does not come from a trusted provider.',
}
const altered: Text = { pl: 'Dokument zmieniono po podpisaniu.', en: 'The document was changed after it was signed.' }
const partial: Text = {
  pl: 'Podpis nie obejmuje całego dokumentu.',
  en: 'The signature does not cover the whole document.',
}
const notBound: Text = {
  pl: 'Podpis nie jest związany z\u00a0certyfikatem podpisującego.',
  en: 'The signature is not bound to the certificate of the signer.',
}

/** Every finding of the check in plain words, and the way out where it speaks against the file (DOC-8). */
export const problemText: Record<FileProblem | SignatureProblem, { text: Text; way: Way }> = {
  'no-signature': {
    text: { pl: 'W\u00a0tym pliku nie ma podpisu.', en: 'There is no signature in this file.' },
    way: 'sign',
  },
  'several-signatures': {
    text: {
      pl: 'W\u00a0pliku jest więcej niż jeden podpis.',
      en: 'There is more than one signature in the file.',
    },
    way: 'again',
  },
  'other-document': {
    text: { pl: 'To nie jest dokument z\u00a0tej sprawy.', en: 'This is not the document of this case.' },
    way: 'right',
  },
  'changed-before-signing': {
    text: { pl: 'Dokument zmieniono przed podpisaniem.', en: 'The document was changed before it was signed.' },
    way: 'again',
  },
  'active-content': {
    text: {
      pl: 'W\u00a0pliku są skrypty albo załączniki, których nie było w\u00a0dokumencie.',
      en: 'There are scripts or attachments in the file that were not in the document.',
    },
    way: 'again',
  },
  'covers-content': {
    text: {
      pl: 'Widoczny podpis zasłania treść dokumentu albo nie da się tego sprawdzić automatycznie.',
      en: 'The visible signature covers content of the document, or we cannot check that automatically.',
    },
    way: 'us',
  },
  'looks-different': {
    text: {
      pl: 'Na stronach może być coś innego niż w\u00a0dokumencie z\u00a0tej sprawy.',
      en: 'The pages may show something else than the document of this case.',
    },
    way: 'us',
  },
  'not-comparable': {
    text: {
      pl: 'Nie udało się porównać stron z\u00a0dokumentem z\u00a0tej sprawy.',
      en: 'We could not compare the pages with the document of this case.',
    },
    way: 'us',
  },
  'signature-damaged': { text: damaged, way: 'again' },
  'signature-format': {
    text: {
      pl: 'Podpis nie jest w\u00a0formacie PAdES.',
      en: 'The signature is not in the PAdES format.',
    },
    way: 'program',
  },
  'byte-range-malformed': { text: damaged, way: 'again' },
  'byte-range-gap': { text: partial, way: 'again' },
  'byte-range-partial': { text: partial, way: 'again' },
  'signature-replaced': { text: altered, way: 'again' },
  'changed-after-signing': { text: altered, way: 'again' },
  'timestamp-invalid': {
    text: {
      pl: 'Znacznik czasu w\u00a0podpisie jest nieprawidłowy.',
      en: 'The timestamp in the signature is not right.',
    },
    way: 'again',
  },
  'signing-certificate-missing': { text: notBound, way: 'program' },
  'signing-certificate-weak': { text: notBound, way: 'program' },
  revoked: {
    text: {
      pl: 'Certyfikat podpisu był unieważniony albo zawieszony.',
      en: 'The certificate of the signature was revoked or suspended.',
    },
    way: 'certificate',
  },
  'revocation-unknown': {
    text: {
      pl: 'Nie udało się teraz sprawdzić, czy certyfikat nie jest unieważniony.',
      en: 'We could not check just now whether the certificate has been revoked.',
    },
    way: 'us',
  },
  'not-qualified': {
    text: { pl: 'To nie jest podpis kwalifikowany.', en: 'This is not a qualified signature.' },
    way: 'certificate',
  },
  'key-usage': {
    text: {
      pl: 'Ten certyfikat nie służy do podpisywania.',
      en: 'This certificate is not meant for signing.',
    },
    way: 'certificate',
  },
  'other-signer': {
    text: { pl: 'Podpis złożył ktoś inny niż Ty.', en: 'Somebody else has signed, not you.' },
    way: 'own',
  },
  padding: {
    text: { pl: 'Za podpisem są zbędne dane.', en: 'There are surplus data behind the signature.' },
    way: 'again',
  },
  'shared-field': {
    text: {
      pl: 'Jedno pole podpisu pojawia się w\u00a0kilku miejscach.',
      en: 'One signature field appears in several places.',
    },
    way: 'again',
  },
  'large-field': {
    text: {
      pl: 'Widoczny podpis zajmuje dużą część strony.',
      en: 'The visible signature takes up a large part of the page.',
    },
    way: 'again',
  },
  'path-untrusted': { text: untrusted, way: 'certificate' },
  'path-expired': {
    text: {
      pl: 'Certyfikat podpisu stracił ważność albo jeszcze nie jest ważny.',
      en: 'The certificate of the signature has expired or is not valid yet.',
    },
    way: 'certificate',
  },
  'path-not-authority': { text: untrusted, way: 'certificate' },
  'path-constrained': { text: untrusted, way: 'certificate' },
  'path-weak': {
    text: {
      pl: 'Certyfikat podpisu używa zbyt słabego szyfru.',
      en: 'The certificate of the signature uses cryptography that is too weak.',
    },
    way: 'certificate',
  },
  'cms-unreadable': { text: damaged, way: 'again' },
  'cms-signers': { text: damaged, way: 'program' },
  'cms-content': { text: damaged, way: 'program' },
  'cms-no-certificate': {
    text: { pl: 'W\u00a0podpisie brakuje certyfikatu.', en: 'The signature lacks its certificate.' },
    way: 'program',
  },
  'cms-attributes': { text: damaged, way: 'program' },
  'cms-digest': { text: altered, way: 'again' },
  'cms-algorithm': {
    text: {
      pl: 'Podpis używa szyfru, którego nie przyjmujemy.',
      en: 'The signature uses cryptography that we do not take.',
    },
    way: 'program',
  },
  'cms-signature': {
    text: {
      pl: 'Podpis nie zgadza się z\u00a0certyfikatem.',
      en: 'The signature does not match its certificate.',
    },
    way: 'again',
  },
  'cms-signing-certificate': { text: notBound, way: 'program' },
}

export const verdictText: Record<UploadReport['verdict'], { title: Text; text: Text }> = {
  accepted: {
    title: { pl: 'Podpis jest w\u00a0porządku', en: 'The signature is fine' },
    text: {
      pl: 'Możesz przesłać dokument.',
      en: 'You can send the document.',
    },
  },
  pending: {
    title: { pl: 'Nie wszystko udało się sprawdzić', en: 'Not everything could be checked' },
    text: wayText.us,
  },
  refused: {
    title: { pl: 'Tego pliku nie możemy przyjąć', en: 'We cannot take this file' },
    text: {
      pl: 'Nic nie zostało przekazane. Zobacz, co jest nie tak, i\u00a0wybierz inny plik.',
      en: 'Nothing has been handed over. See what is wrong and choose another file.',
    },
  },
}

export const sameDocumentText: Record<UploadReport['document'], Text> = {
  'same-bytes': { pl: 'To dokument z\u00a0tej sprawy', en: 'It is the document of this case' },
  'same-content': {
    pl: 'Strony są takie same jak w\u00a0dokumencie z\u00a0tej sprawy',
    en: 'Its pages are those of the document of this case',
  },
  other: { pl: 'To nie jest dokument z\u00a0tej sprawy', en: 'It is not the document of this case' },
}

/** Said instead where the pages were shown by other programs, and differ or could not be compared (R107). */
export const doubtfulDocumentText: Text = {
  pl: 'Nie ma pewności, czy to dokument z\u00a0tej sprawy',
  en: 'It is not certain that this is the document of this case',
}
