import type { Text } from '../../contract/enums.ts'
import type { SignaturePlace } from '../../pki/pdf/signature-places.ts'
import type { FailureCode } from '../calls/api.ts'
import { strayBytes, unreadable } from '../text/file-problem-text.ts'
import { plural } from '../text/format.ts'
import type { FileProblem } from './signed-file.ts'

/** Reasons why a file cannot be signed (SGN-20), or completed. */
export const signingFileProblems: Record<Exclude<FileProblem, 'wrong-password'>, Text> = {
  unreadable,
  changed: {
    pl: 'Ten plik zmienił się albo zniknął z\u00a0dysku po tym, jak go wybrano. Wybierz go jeszcze raz.',
    en: 'This file has changed, or is gone from the disk, since you chose it. Choose it again.',
  },
  'not-pdf': {
    pl: 'To nie jest plik PDF. Zapisz go jako PDF i\u00a0dodaj ponownie.',
    en: 'This isn’t a PDF file. Save it as a PDF and add it again.',
  },
  damaged: {
    pl: 'Ten plik jest uszkodzony i\u00a0nie można go podpisać.',
    en: 'This file is damaged and can’t be signed.',
  },
  'stray-bytes': strayBytes,
  encrypted: {
    pl: 'Ten plik jest zaszyfrowany metodą, której nie obsługujemy.',
    en: 'This file is encrypted in a way we don’t support.',
  },
  'too-costly': { pl: 'Ten plik jest zbyt złożony, aby go tu podpisać.', en: 'This file is too complex to sign here.' },
  forbidden: {
    pl: 'Wcześniejszy podpis w\u00a0tym pliku nie pozwala dodać kolejnego.',
    en: 'An earlier signature in this file doesn’t allow another one.',
  },
  'breaks-signature': {
    pl: 'Kolejny podpis unieważniłby wcześniejszy podpis w\u00a0tym pliku, więc nie można go tu podpisać.',
    en: 'Another signature would break an earlier one in this file, so it can’t be signed here.',
  },
  foreign: {
    pl: 'Otrzymany podpis nie pasuje do tego pliku, więc go nie dodaliśmy. Spróbuj ponownie. Jeśli to się powtórzy, zadzwoń do nas.',
    en: 'The signature we received doesn’t belong to this file, so we didn’t add it. Try again. If it happens again, call us.',
  },
}

/** Text for a file whose signature was made but could not be added. */
export const unfinished: Text = {
  pl: 'Przeglądarka nie zdołała dodać podpisu do tego pliku. Zamknij inne karty i\u00a0spróbuj ponownie.',
  en: 'The browser couldn’t add the signature to this file. Close other tabs and try again.',
}

/** Text for another attempt that did not complete every file either. */
export const stillUnfinished: Text = {
  pl: 'Nadal się nie udało. Spróbuj ponownie za kilka minut.',
  en: 'It still didn’t work. Try again in a few minutes.',
}

/** Text for a signed file that cannot be saved. */
export const originalGone: Text = {
  pl: 'Oryginał tego pliku zmienił się albo zniknął z\u00a0dysku. Przywróć go w\u00a0to samo miejsce i\u00a0zapisz ponownie.',
  en: 'The original of this file has changed, or is gone from the disk. Put it back where it was, and save again.',
}

export const placeTexts: Record<SignaturePlace, Text> = {
  'top-left': { pl: 'U\u00a0góry po lewej', en: 'Top left' },
  top: { pl: 'U\u00a0góry na środku', en: 'Top centre' },
  'top-right': { pl: 'U\u00a0góry po prawej', en: 'Top right' },
  left: { pl: 'Po lewej', en: 'Left' },
  middle: { pl: 'Na środku', en: 'Middle' },
  right: { pl: 'Po prawej', en: 'Right' },
  'bottom-left': { pl: 'U\u00a0dołu po lewej', en: 'Bottom left' },
  bottom: { pl: 'U\u00a0dołu na środku', en: 'Bottom centre' },
  'bottom-right': { pl: 'U\u00a0dołu po prawej', en: 'Bottom right' },
}

/** Returns the text on what one authorisation signs. */
export const orderText = (files: number, signer: string): Text => ({
  pl: `${files} ${plural('pl', files, { one: 'plik', few: 'pliki', other: 'plików' })}, certyfikat: ${signer}`,
  en: `${files} ${plural('en', files, { one: 'file', other: 'files' })}, certificate: ${signer}`,
})

/** Returns the text on the benefit of PAdES B-LT. */
export const lastingText = (files: number): Text =>
  files === 1
    ? {
        pl: 'Plik zawiera też znacznik czasu i\u00a0dane o\u00a0certyfikatach, więc da się go sprawdzić także po wygaśnięciu certyfikatu.',
        en: 'The file also holds a timestamp and data about the certificates, so it can be checked even after the certificate has expired.',
      }
    : {
        pl: 'Pliki zawierają też znacznik czasu i\u00a0dane o\u00a0certyfikatach, więc da się je sprawdzić także po wygaśnięciu certyfikatu.',
        en: 'The files also hold a timestamp and data about the certificates, so they can be checked even after the certificate has expired.',
      }

export const oneRefused: Text = {
  pl: 'Jednego pliku nie można podpisać. Powód jest przy jego nazwie.',
  en: 'One file can’t be signed. The reason is next to its name.',
}

/** Failures that elsewhere are about one document. */
export const signingFailures: Partial<Record<FailureCode, Text>> = {
  'signing-refused': {
    pl: 'Usługa podpisu odmówiła, więc nic nie podpisano. Zadzwoń do nas, a\u00a0pomożemy.',
    en: 'The signing service refused, so nothing has been signed. Call us and we’ll help.',
  },
  'signing-changed': {
    pl: 'Po wysłaniu kodu zmienił się certyfikat albo dostęp do niego, na przykład zlecono jego zawieszenie, więc nic nie podpisano. Wyślij nowy kod.',
    en: 'The certificate, or access to it, changed after we sent the code, for example because its suspension was requested, so nothing has been signed. Send a new code.',
  },
  'signing-over': {
    pl: 'Minął czas albo wykorzystano wszystkie próby. Nic nie podpisano. Wyślij nowy kod.',
    en: 'It took too long, or there were too many attempts, so nothing has been signed. Send a new code.',
  },
  'signer-unknown': {
    pl: 'Tym certyfikatem nie można teraz podpisać plików, na przykład dlatego, że zlecono jego zawieszenie. Wybierz inny.',
    en: 'You can’t sign files with this certificate now, for example because its suspension was requested. Choose another one.',
  },
  busy: {
    pl: 'Usługa podpisu jeszcze nie odpowiedziała. Spróbuj ponownie za chwilę.',
    en: 'The signing service hasn’t answered yet. Try again in a moment.',
  },
}
