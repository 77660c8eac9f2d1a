import { useText } from '../app/locale.tsx'
import { Fold } from '../ui/fold.tsx'

const inPortal = [
  {
    what: { pl: 'Naciśnij „Przeczytaj i\u00a0podpisz”', en: 'Press “Read and sign”' },
    how: { pl: 'Kod do dokumentu wyślemy e-mailem.', en: 'We’ll e-mail you the document code.' },
  },
  {
    what: { pl: 'Przeczytaj dokument', en: 'Read the document' },
    how: {
      pl: 'Zobaczysz też, którym certyfikatem podpisujesz.',
      en: 'You’ll also see which certificate you’re signing with.',
    },
  },
  {
    what: { pl: 'Podpisz kodem SMS', en: 'Sign with a text-message code' },
    how: {
      pl: 'Masz inny podpis? Pobierz PDF, podpisz go w\u00a0swoim programie (format PAdES) i\u00a0prześlij.',
      en: 'Have another signature? Download the PDF, sign it in your own software (PAdES format) and upload it.',
    },
  },
]

const inOwnSoftware = [
  {
    what: { pl: 'Pobierz dokument', en: 'Download the document' },
    how: { pl: 'Kod do dokumentu wyślemy e-mailem.', en: 'We’ll e-mail you the document code.' },
  },
  {
    what: { pl: 'Podpisz w\u00a0swoim programie', en: 'Sign it in your own software' },
    how: {
      pl: 'Użyj podpisu kwalifikowanego w\u00a0formacie PAdES: zapisuje się w\u00a0samym pliku PDF.',
      en: 'Use a qualified signature in the PAdES format: it’s stored in the PDF itself.',
    },
  },
  {
    what: { pl: 'Prześlij podpisany plik', en: 'Upload the signed file' },
    how: { pl: 'Plik PDF, do 10\u00a0MB.', en: 'A PDF file, up to 10\u00a0MB.' },
  },
]

const result = {
  what: { pl: 'Poczekaj na e-mail', en: 'Wait for an e-mail' },
  how: { pl: 'Wyślemy wynik weryfikacji.', en: 'We’ll let you know the result.' },
}

/** Shows the steps to a signed document, folded into one line above the list (DOC-10); `isHere`: the customer can sign in the portal. */
export function HowItWorks({ signsHere: isHere }: { signsHere: boolean }) {
  const t = useText()
  const steps = [...(isHere ? inPortal : inOwnSoftware), result]
  return (
    <Fold
      className="how-it-works"
      summary={t({ pl: 'Jak podpisać dokument, krok po kroku', en: 'How to sign a document, step by step' })}
    >
      <ol className="how-it-works__steps">
        {steps.map(({ what, how }) => (
          <li key={what.en}>
            <b>{t(what)}</b>
            {t(how)}
          </li>
        ))}
      </ol>
    </Fold>
  )
}
