import type { DocumentCase, summariseDocuments } from '../../contract/documents.ts'
import type { Reply } from '../../contract/endpoint.ts'
import type { Locale } from '../../contract/enums.ts'
import { pages } from '../../contract/pages.ts'
import { formatDate } from '../text/format.ts'
import { toFetchText, toSignText } from './home-text.ts'
import type { Matter } from './matter.ts'

/** Documents that wait for the customer's signature, and those that are done and wait to be fetched: one matter each. */
export function documentMatters({ toSign, toFetch }: Reply<typeof summariseDocuments>, locale: Locale): Matter[] {
  const matters: Matter[] = []
  if (toSign.newest)
    matters.push({
      ...matterOf(toSign.newest, toSign.count, locale),
      rank: 0,
      badge: {
        kind: 'warn',
        icon: 'pen',
        words: { pl: 'Czeka na Twój podpis', en: 'Awaiting your signature' }[locale],
      },
      title: toSign.count > 1 ? toSignText(locale, toSign.count) : toSign.newest.process[locale],
      step: {
        label:
          toSign.count > 1
            ? { pl: 'Przejdź do dokumentów', en: 'Go to the documents' }
            : { pl: 'Przejdź do dokumentu', en: 'Go to the document' },
        to: pages.documents.path,
      },
    })
  if (toFetch.newest)
    matters.push({
      ...matterOf(toFetch.newest, toFetch.count, locale),
      // Nothing runs out, so it comes after everything that does.
      rank: 7,
      badge: { kind: 'info', icon: 'doc', words: { pl: 'Gotowy do pobrania', en: 'Ready to download' }[locale] },
      title: toFetch.count > 1 ? toFetchText(locale, toFetch.count) : toFetch.newest.process[locale],
      step: { label: { pl: 'Przejdź do dokumentów', en: 'Go to the documents' }, to: pages.documents.path },
    })
  return matters
}

function matterOf({ id, process, application, createdAt }: DocumentCase, count: number, locale: Locale) {
  const newest = count > 1 ? `${{ pl: 'Najnowszy: ', en: 'The newest: ' }[locale]}${process[locale]}, ` : ''
  const words = (
    <>
      {newest}
      {{ pl: `wniosek ${application}, otrzymano `, en: `application ${application}, received ` }[locale]}
      <time dateTime={createdAt}>{formatDate(locale, createdAt)}</time>
    </>
  )
  return { id, end: createdAt, family: 'document' as const, detail: <>{words}.</>, line: words }
}
