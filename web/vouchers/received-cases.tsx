import { documentStatuses, listDocuments, type DocumentCase, type DocumentStatus } from '../../contract/documents.ts'
import type { Text } from '../../contract/enums.ts'
import { useText } from '../locale.tsx'
import { useRead } from '../reads.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { DocumentBadge, statusLook } from '../ui/document-status.tsx'
import { Empty } from '../ui/empty.tsx'
import { Region } from '../ui/region.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { CaseFrame, useCasePages } from './case-pages.tsx'
import { as } from '../ui/table.tsx'
import { CaseTable, Day } from './case-table.tsx'

const statuses = Object.fromEntries(documentStatuses.map((status) => [status, statusLook[status].text])) as Record<
  DocumentStatus,
  Text
>

/** VCH-4: the cases that the provider has opened, each with a document; what can be done with it is on its own page. */
export function ReceivedCases() {
  const t = useText()
  const pages = useCasePages<DocumentStatus>()
  const list = useRead(listDocuments, { query: pages.query })
  return (
    <CaseFrame pages={pages} page={list.data} statuses={statuses}>
      <Region
        query={list}
        skeleton={<Skeleton lines={4} />}
        label={t({ pl: 'Wczytujemy sprawy otrzymane', en: 'Loading received cases' })}
      >
        {({ items }) =>
          items.length ? (
            <Cases cases={items} search={pages.search} />
          ) : (
            <Empty
              reason={
                pages.status
                  ? t({ pl: 'Żadna sprawa nie ma tego statusu.', en: 'No case has this status.' })
                  : t({
                      pl: 'Sprawa pojawi się tutaj, gdy dostaniesz od nas dokument do podpisania.',
                      en: 'A case appears here when we send you a document to sign.',
                    })
              }
              action={
                pages.status && (
                  <Button onClick={() => pages.ask(undefined)}>
                    {t({ pl: 'Wyczyść filtry', en: 'Clear filters' })}
                  </Button>
                )
              }
            />
          )
        }
      </Region>
    </CaseFrame>
  )
}

/** `search` names this page of the list of documents, which is the same list: there each case is on it too. */
function Cases({ cases, search }: { cases: readonly DocumentCase[]; search: string }) {
  const t = useText()
  const columns = {
    case: t({ pl: 'Sprawa', en: 'Case' }),
    received: t({ pl: 'Otrzymana', en: 'Received' }),
    changed: t({ pl: 'Ostatnia zmiana', en: 'Last change' }),
    status: t({ pl: 'Status', en: 'Status' }),
  }
  return (
    <CaseTable caption={t({ pl: 'Sprawy otrzymane', en: 'Received cases' })} columns={Object.values(columns)}>
      {cases.map((one) => (
        <tr key={one.id} {...as.row}>
          <th scope="row" {...as.rowheader} className="t-main">
            <b>{t(one.process)}</b>
            <span className="sub">
              {t({ pl: 'Wniosek ', en: 'Application ' })}
              <span className="mono">{one.application}</span>
            </span>
          </th>
          <td {...as.cell} data-label={columns.received}>
            <Day at={one.createdAt} />
          </td>
          <td {...as.cell} data-label={columns.changed}>
            <Day at={one.updatedAt} />
          </td>
          <td {...as.cell} data-label={columns.status}>
            <DocumentBadge document={one} />
          </td>
          <td {...as.cell} className="t-act">
            <ButtonLink
              to={`/documents${search && `?${search}`}#document-${one.id}`}
              variant="quiet"
              size="s"
              aria-label={t({
                pl: `Przejdź do dokumentu, wniosek ${one.application}`,
                en: `Go to the document, application ${one.application}`,
              })}
            >
              {t({ pl: 'Przejdź do dokumentu', en: 'Go to the document' })}
            </ButtonLink>
          </td>
        </tr>
      ))}
    </CaseTable>
  )
}
