import type { DocumentCase, summariseDocuments } from '../../contract/documents.ts'
import type { Reply } from '../../contract/endpoint.ts'
import type { Locale, Text } from '../../contract/enums.ts'
import { pages } from '../../contract/pages.ts'
import { formatDate } from '../text/format.ts'
import { toFetchText, toSignText } from './home-text.ts'
import { ranks, type Matter } from './matter.ts'

/** Documents that wait for the customer's signature, and those that are done and wait to be fetched: one matter each. */
export function documentMatters({ toSign, toFetch }: Reply<typeof summariseDocuments>, locale: Locale): Matter[] {
  const matters: Matter[] = []
  if (toSign.newest)
    matters.push({
      ...matterOf(toSign.newest, toSign.count, locale, {
        pl: 'Sprawa ruszy dalej, gdy odeślesz podpisany dokument.',
        en: 'The case goes on once you have sent the signed document.',
      }),
      rank: ranks.toSign,
      badge: {
        kind: 'warn',
        icon: 'pen',
        words: { pl: 'Czeka na Twój podpis', en: 'Awaiting your signature' }[locale],
      },
      title: toSign.count > 1 ? toSignText(locale, toSign.count) : toSign.newest.process[locale],
      step: stepOf(toSign.count),
    })
  if (toFetch.newest)
    matters.push({
      ...matterOf(toFetch.newest, toFetch.count, locale, {
        pl: 'Podpisały go już obie strony. Pobierz go i\u00a0zachowaj.',
        en: 'Both sides have signed it. Download it and keep it.',
      }),
      rank: ranks.toFetch,
      badge: { kind: 'info', icon: 'doc', words: { pl: 'Gotowy do pobrania', en: 'Ready to download' }[locale] },
      title: toFetch.count > 1 ? toFetchText(locale, toFetch.count) : toFetch.newest.process[locale],
      step: stepOf(toFetch.count),
    })
  return matters
}

const stepOf = (count: number) => ({
  label:
    count > 1
      ? { pl: 'Przejdź do dokumentów', en: 'Go to the documents' }
      : { pl: 'Przejdź do dokumentu', en: 'Go to the document' },
  to: pages.documents.path,
})

/** `then`: what comes of it. */
function matterOf({ id, process, application, createdAt }: DocumentCase, count: number, locale: Locale, then: Text) {
  const words =
    count > 1
      ? {
          pl: `Najnowszy: ${process.pl}, wniosek ${application}, otrzymano `,
          en: `The newest: ${process.en}, application ${application}, received `,
        }
      : { pl: `Wniosek ${application}, otrzymano `, en: `Application ${application}, received ` }
  return {
    id,
    end: createdAt,
    family: 'document' as const,
    detail: (
      <>
        {words[locale]}
        <time dateTime={createdAt}>{formatDate(locale, createdAt)}</time>. {then[locale]}
      </>
    ),
  }
}
