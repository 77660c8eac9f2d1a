import { useText } from '../locale.tsx'
import '../certificates/certificate-list.css'
import '../ui/table.css'
import { DocumentList } from './document-list.tsx'
import './documents.css'
import { PageHead } from '../page-head.tsx'

/** DOC-1…DOC-9: what the provider has passed to the customer to be signed. */
export function DocumentsScreen() {
  return (
    <>
      <PageHead
        title={{ pl: 'Twoje dokumenty', en: 'Your documents' }}
        lede={{
          pl: 'Pobierz dokument, podpisz go podpisem kwalifikowanym w\u00a0formacie PAdES i\u00a0prześlij z\u00a0powrotem.',
          en: 'Download the document, sign it with a qualified signature in the PAdES format, and send it back.',
        }}
      />
      <DocumentList />
      <HowItWorks />
    </>
  )
}

function HowItWorks() {
  const t = useText()
  const steps = [
    {
      what: { pl: 'Pobierz dokument', en: 'Download the document' },
      how: {
        pl: 'Kod do otwarcia pliku wyślemy e-mailem.',
        en: 'We will send the code that opens the file by e-mail.',
      },
    },
    {
      what: { pl: 'Podpisz w\u00a0PAdES', en: 'Sign it in PAdES' },
      how: { pl: 'Użyj swojego podpisu kwalifikowanego.', en: 'Use your own qualified signature.' },
    },
    {
      what: { pl: 'Prześlij plik', en: 'Send the file' },
      how: { pl: 'Jeden PDF, do 10\u00a0MB.', en: 'One PDF of up to 10\u00a0MB.' },
    },
    {
      what: { pl: 'Poczekaj na e-mail', en: 'Wait for an e-mail' },
      how: { pl: 'Potwierdzimy wynik weryfikacji.', en: 'We will confirm the result of the verification.' },
    },
  ]
  return (
    <section aria-labelledby="how">
      <h2 id="how" className="vh">
        {t({ pl: 'Jak podpisać dokument', en: 'How to sign a document' })}
      </h2>
      <ol className="how">
        {steps.map(({ what, how }) => (
          <li key={what.en}>
            <b>{t(what)}</b>
            {t(how)}
          </li>
        ))}
      </ol>
    </section>
  )
}
