import type { summariseDocuments } from '../../contract/documents.ts'
import type { Reply } from '../../contract/endpoint.ts'
import type { Locale, Text } from '../../contract/enums.ts'
import { pages } from '../../contract/pages.ts'
import { formatDate } from '../text/format.ts'
import { Code } from '../ui/verbatim.tsx'
import { toFetchText, toSignText } from './home-text.ts'
import { ranks, type HomeNotice } from './home-notice.ts'

/** Documents to sign, and finished ones to download: one notice each. */
export function documentNotices({ toSign, toFetch }: Reply<typeof summariseDocuments>, locale: Locale): HomeNotice[] {
  return [
    ...noticeOf(toSign, locale, {
      rank: ranks.toSign,
      badge: { kind: 'warn', icon: 'pen', text: { pl: 'Czeka na podpis', en: 'Awaiting your signature' }[locale] },
      severalText: toSignText,
      consequence: toSign.newest?.signHere
        ? {
            pl: 'Przeczytaj i\u00a0podpisz tutaj. Sprawa ruszy dalej, gdy podpiszesz.',
            en: 'Read and sign it here. The case continues once you’ve signed.',
          }
        : {
            pl: 'Sprawa ruszy dalej, gdy prześlesz podpisany dokument.',
            en: 'The case continues once you’ve sent back the signed document.',
          },
    }),
    ...noticeOf(toFetch, locale, {
      rank: ranks.toFetch,
      badge: { kind: 'info', icon: 'doc', text: { pl: 'Do pobrania', en: 'Ready to download' }[locale] },
      severalText: toFetchText,
      consequence: {
        pl: 'Dokument podpisały już obie strony. Pobierz go i\u00a0zachowaj.',
        en: 'Both sides have signed it. Download it and keep it safe.',
      },
    }),
  ]
}

/** To the list, or to the row of the one document. */
const stepOf = (count: number, id: string) => ({
  label:
    count > 1
      ? { pl: 'Przejdź do dokumentów', en: 'Go to documents' }
      : { pl: 'Przejdź do dokumentu', en: 'Go to document' },
  to: count > 1 ? pages.documents.path : `${pages.documents.path}#document-${id}`,
})

type Kind = Pick<HomeNotice, 'rank' | 'badge'> & {
  severalText: (locale: Locale, count: number) => string
  consequence: Text
}

/** The newest of the documents that wait, and how many there are. */
function noticeOf(
  { newest, count }: Reply<typeof summariseDocuments>['toSign'],
  locale: Locale,
  { rank, badge, severalText, consequence }: Kind,
): HomeNotice[] {
  if (!newest) return []
  const { id, process, application, createdAt } = newest
  const several = count > 1
  const text = several
    ? {
        pl: `Najnowszy: ${process.pl}, sprawa `,
        en: `Newest: ${process.en}, case `,
      }
    : { pl: 'Sprawa ', en: 'Case ' }
  const detail = (
    <>
      {text[locale]}
      <Code>{application}</Code>
      {{ pl: ', otrzymano ', en: ', received ' }[locale]}
      <time dateTime={createdAt}>{formatDate(locale, createdAt)}</time>. {consequence[locale]}
    </>
  )
  const title = several ? severalText(locale, count) : process[locale]
  return [{ id, rank, end: createdAt, badge, title, detail, family: 'document', step: stepOf(count, id) }]
}
