import type { FileProblem, SignatureProblem } from '../../contract/document-report.ts'
import type { Text } from '../../contract/enums.ts'

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

/** The text of every finding of a check of a signed file (DOC-8, CHK-4). */
export const problemText: Record<FileProblem | SignatureProblem, Text> = {
  'no-signature': { pl: 'W\u00a0tym pliku nie ma podpisu.', en: 'There’s no signature in this file.' },
  'several-signatures': {
    pl: 'W\u00a0pliku jest więcej niż jeden podpis.',
    en: 'There’s more than one signature in the file.',
  },
  'other-document': { pl: 'To nie jest dokument z\u00a0tej sprawy.', en: 'This isn’t the document from this case.' },
  'changed-before-signing': {
    pl: 'Dokument zmieniono przed podpisaniem.',
    en: 'The document was changed before it was signed.',
  },
  'active-content': {
    pl: 'W\u00a0pliku są skrypty albo załączniki, których nie było w\u00a0dokumencie.',
    en: 'There are scripts or attachments in the file that weren’t in the document.',
  },
  'covers-content': {
    pl: 'Widoczny podpis zasłania treść dokumentu albo nie można tego sprawdzić automatycznie.',
    en: 'The visible signature covers content of the document, or we can’t check that automatically.',
  },
  'looks-different': {
    pl: 'Strony tego pliku mogą różnić się od dokumentu z\u00a0tej sprawy.',
    en: 'The pages of this file may differ from the document in this case.',
  },
  'not-comparable': {
    pl: 'Nie udało się porównać stron tego pliku z\u00a0dokumentem z\u00a0tej sprawy.',
    en: 'We couldn’t compare the pages of this file with the document in this case.',
  },
  'signature-damaged': damaged,
  'signature-format': { pl: 'Podpis nie jest w\u00a0formacie PAdES.', en: 'The signature isn’t in the PAdES format.' },
  'byte-range-malformed': damaged,
  'byte-range-gap': partial,
  'byte-range-partial': partial,
  'signature-replaced': altered,
  'changed-after-signing': altered,
  'timestamp-invalid': {
    pl: 'Znacznik czasu w\u00a0podpisie jest nieprawidłowy.',
    en: 'The timestamp in the signature isn’t valid.',
  },
  'signing-certificate-missing': notBound,
  'signing-certificate-weak': notBound,
  revoked: {
    pl: 'Certyfikat podpisu albo jego wystawcy był unieważniony lub zawieszony.',
    en: 'The certificate of the signature or of its issuer was revoked or suspended.',
  },
  'revocation-unknown': {
    pl: 'Nie udało się teraz sprawdzić, czy certyfikat nie jest unieważniony.',
    en: 'We couldn’t check whether the certificate has been revoked.',
  },
  'not-qualified': { pl: 'To nie jest podpis kwalifikowany.', en: 'This isn’t a qualified signature.' },
  'key-usage': { pl: 'Ten certyfikat nie służy do podpisywania.', en: 'This certificate isn’t meant for signing.' },
  'other-signer': { pl: 'Podpis złożył ktoś inny niż Ty.', en: 'Someone else signed it, not you.' },
  padding: { pl: 'Za podpisem są zbędne dane.', en: 'There’s extra data after the signature.' },
  'shared-field': {
    pl: 'Jedno pole podpisu pojawia się w\u00a0kilku miejscach.',
    en: 'One signature field appears in several places.',
  },
  'large-field': {
    pl: 'Widoczny podpis zajmuje dużą część strony.',
    en: 'The visible signature takes up a large part of the page.',
  },
  'path-untrusted': untrusted,
  'path-expired': {
    pl: 'Certyfikat podpisu wygasł albo jeszcze nie jest ważny.',
    en: 'The signature’s certificate has expired or isn’t valid yet.',
  },
  'path-not-granted': {
    pl: 'Wystawca certyfikatu nie miał wtedy statusu zaufanego.',
    en: 'The certificate’s issuer didn’t have trusted status at the time.',
  },
  'path-not-authority': untrusted,
  'path-constrained': untrusted,
  'path-weak': {
    pl: 'Certyfikat podpisu korzysta ze zbyt słabego algorytmu.',
    en: 'The signature’s certificate uses an algorithm that’s too weak.',
  },
  'cms-unreadable': damaged,
  'cms-signers': damaged,
  'cms-content': damaged,
  'cms-no-certificate': { pl: 'W\u00a0podpisie brakuje certyfikatu.', en: 'The signature lacks its certificate.' },
  'cms-attributes': damaged,
  'cms-bare': {
    pl: 'Podpis nie jest w\u00a0formacie PAdES: nic nie wiąże go z\u00a0jednym certyfikatem.',
    en: 'The signature isn’t in the PAdES format: nothing ties it to one certificate.',
  },
  'cms-digest': altered,
  'cms-algorithm': {
    pl: 'Podpis złożono algorytmem, którego nie przyjmujemy.',
    en: 'The signature uses an algorithm we don’t accept.',
  },
  'cms-signature': {
    pl: 'Podpis nie zgadza się z\u00a0certyfikatem.',
    en: 'The signature doesn’t match its certificate.',
  },
  'cms-signing-certificate': notBound,
}
