import type { DocumentCase, summariseDocuments } from '../../contract/documents.ts'
import type { Reply } from '../../contract/endpoint.ts'
import type { Locale, Text } from '../../contract/enums.ts'
import { pages } from '../../contract/pages.ts'
import { documentAddress, signsHere } from '../documents/document-address.ts'
import { DateText } from '../text/date-text.tsx'
import { readAndSignText } from '../text/product-text.ts'
import { Code } from '../ui/verbatim.tsx'
import { ranks, type HomeNotice } from './home-notice.ts'
import { toFetchText, toSignText } from './home-text.ts'

/** Returns one notice for the documents to sign, and one for the finished ones to download. */
export function documentNotices({ toSign, toFetch }: Reply<typeof summariseDocuments>, locale: Locale): HomeNotice[] {
  return [
    ...noticeOf(toSign, locale, {
      rank: ranks.toSign,
      badge: { kind: 'warning', icon: 'pen', text: { pl: 'Czeka na podpis', en: 'Awaiting your signature' }[locale] },
      severalText: toSignText,
      consequence: waitsFor(toSign.count > 1, !!toSign.newest?.signHere),
    }),
    ...noticeOf(toFetch, locale, {
      rank: ranks.toFetch,
      badge: { kind: 'info', icon: 'document', text: { pl: 'Do pobrania', en: 'Ready to download' }[locale] },
      severalText: toFetchText,
      consequence: {
        pl: 'Dokument podpisały już obie strony. Pobierz go i\u00a0zachowaj.',
        en: 'Both sides have signed it. Download it and keep it safe.',
      },
    }),
  ]
}

/** Returns the text on what the customer has to do so that a case, or several, can continue. */
function waitsFor(areSeveral: boolean, areSignedHere: boolean): Text {
  if (areSignedHere)
    return areSeveral
      ? {
          pl: 'Sprawy ruszą dalej, gdy podpiszesz dokumenty.',
          en: 'The cases continue once you’ve signed the documents.',
        }
      : {
          pl: 'Sprawa ruszy dalej, gdy przeczytasz i\u00a0podpiszesz dokument.',
          en: 'The case continues once you’ve read and signed the document.',
        }
  return areSeveral
    ? {
        pl: 'Sprawy ruszą dalej, gdy prześlesz podpisane dokumenty.',
        en: 'The cases continue once you’ve sent back the signed documents.',
      }
    : {
        pl: 'Sprawa ruszy dalej, gdy prześlesz podpisany dokument.',
        en: 'The case continues once you’ve sent back the signed document.',
      }
}

/** Returns the step that leads to the list, or straight to the only document. */
function stepOf(count: number, document: DocumentCase) {
  if (count > 1) return { label: { pl: 'Przejdź do dokumentów', en: 'Go to documents' }, to: pages.documents.path }
  const label = signsHere(document) ? readAndSignText : { pl: 'Przejdź do dokumentu', en: 'Go to document' }
  return { label, to: documentAddress(document) }
}

type Kind = Pick<HomeNotice, 'rank' | 'badge'> & {
  severalText: (locale: Locale, count: number) => string
  consequence: Text
}

/** Returns a notice with the newest of the documents that wait, and their number. */
function noticeOf(
  { newest, count }: Reply<typeof summariseDocuments>['toSign'],
  locale: Locale,
  { rank, badge, severalText, consequence }: Kind,
): HomeNotice[] {
  if (!newest) return []
  const { id, process, application, createdAt } = newest
  const areSeveral = count > 1
  const text = areSeveral
    ? { pl: `Najnowszy: ${process.pl}, sprawa `, en: `Newest: ${process.en}, case ` }
    : { pl: 'Sprawa ', en: 'Case ' }
  const detail = (
    <>
      {text[locale]}
      <Code>{application}</Code>
      {{ pl: ', otrzymano ', en: ', received ' }[locale]}
      <DateText at={createdAt} />. {consequence[locale]}
    </>
  )
  const title = areSeveral ? severalText(locale, count) : process[locale]
  return [{ id, rank, end: createdAt, badge, title, detail, family: 'document', step: stepOf(count, newest) }]
}
