import { listDocuments, type DocumentCase } from '../../contract/documents.ts'
import { useText } from '../locale.tsx'
import { casePrefixes } from '../../contract/list-address.ts'
import { useAddressFilters, usePagedList } from '../paged-list.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { documentFiltersOf, documentSearch } from '../certificates/document-filters.ts'
import { DocumentCells } from '../certificates/document-status.tsx'
import { CaseList } from './case-list.tsx'
import { Cell, DataTable, RowHead, TableRow } from '../ui/table.tsx'
import { Code } from '../ui/verbatim.tsx'

export const useReceivedCases = () =>
  usePagedList(
    listDocuments,
    useAddressFilters((params) => documentFiltersOf(Object.fromEntries(params)), casePrefixes.received),
  )

/** VCH-4: the cases that the provider has opened, each with a document; what can be done with it is on its own page. */
export function ReceivedCases({ cases }: { cases: ReturnType<typeof useReceivedCases> }) {
  const t = useText()
  return (
    <CaseList
      cases={cases}
      name={t({ pl: 'sprawy otrzymane', en: 'received cases' })}
      search={documentSearch}
      filtersOf={documentFiltersOf}
      icon="doc"
      label={t({ pl: 'Wczytujemy sprawy otrzymane', en: 'Loading received cases' })}
      emptyReason={t({
        pl: 'Sprawa pojawi się tutaj, gdy dostaniesz od nas dokument do podpisania.',
        en: 'You’ll see a case here when we send you a document to sign.',
      })}
    >
      {({ items }) => <Cases cases={items} search={cases.search} />}
    </CaseList>
  )
}

const columns = {
  case: { pl: 'Sprawa', en: 'Case' },
  received: { pl: 'Otrzymano', en: 'Received' },
  changed: { pl: 'Ostatnia zmiana', en: 'Last change' },
  status: { pl: 'Status', en: 'Status' },
}

type CasesProps = { cases: readonly DocumentCase[]; search: string }

/** `search` names this page of the list of documents, which is the same list: there each case is on it too. */
function Cases({ cases, search }: CasesProps) {
  const t = useText()
  return (
    <DataTable
      className="cases"
      isCompact
      actions
      caption={{ pl: 'Sprawy otrzymane', en: 'Received cases' }}
      columns={columns}
    >
      {cases.map((receivedCase) => (
        <TableRow key={receivedCase.id}>
          <RowHead>
            <b>{t(receivedCase.process)}</b>
            <span className="sub">
              {t({ pl: 'Sprawa ', en: 'Case ' })}
              <Code>{receivedCase.application}</Code>
            </span>
          </RowHead>
          <DocumentCells document={receivedCase} columns={columns} />
          <Cell className="t-actions">
            <ButtonLink
              to={`/documents${search && `?${search}`}#document-${receivedCase.id}`}
              variant="quiet"
              size="s"
              aria-label={t({
                pl: `Przejdź do dokumentu, sprawa ${receivedCase.application}`,
                en: `Go to document, case ${receivedCase.application}`,
              })}
            >
              {t({ pl: 'Przejdź do dokumentu', en: 'Go to document' })}
            </ButtonLink>
          </Cell>
        </TableRow>
      ))}
    </DataTable>
  )
}
