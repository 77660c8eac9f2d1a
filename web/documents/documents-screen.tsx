import '../certificates/certificate-list.css'
import '../ui/table.css'
import { DocumentList } from './document-list.tsx'
import './documents.css'
import { PageHead } from '../page-head.tsx'

/** DOC-1…DOC-13: what the provider has passed to the customer to be signed. */
export function DocumentsScreen() {
  return (
    <>
      <PageHead
        title={{ pl: 'Twoje dokumenty', en: 'Your documents' }}
        lede={{
          pl: 'Przeczytaj dokument i\u00a0podpisz go tutaj podpisem w\u00a0chmurze. Możesz go też pobrać, podpisać swoim programem w\u00a0formacie PAdES i\u00a0przesłać.',
          en: 'Read the document and sign it here with your cloud signature. You can also download it, sign it with your own software in the PAdES format, and upload it.',
        }}
      />
      <DocumentList />
    </>
  )
}
