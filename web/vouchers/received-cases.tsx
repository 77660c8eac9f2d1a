import { documentActions, listDocuments, type DocumentCase } from '../../contract/documents.ts'
import { casePrefixes } from '../../contract/list-pages.ts'
import { useText } from '../app/locale.tsx'
import { documentAddress, rowAddress, signsHere } from '../documents/document-address.ts'
import { documentSearch } from '../documents/document-filters.ts'
import { documentColumns, isActionable } from '../documents/document-status.tsx'
import { ListScreen } from '../lists/list-screen.tsx'
import { useAddressFilters, usePagedList } from '../lists/paged-list.tsx'
import { readAndSignText } from '../text/product-text.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Link } from '../ui/link.tsx'
import { DataTable } from '../ui/table.tsx'
import { Code, Verbatim } from '../ui/verbatim.tsx'
import { noCaseFound } from './case-status.tsx'

export const useReceivedCases = () =>
  usePagedList(listDocuments, useAddressFilters(documentSearch.filtersOf, casePrefixes.received))

/** Shows the cases that the provider has opened, each with a document; the actions on it are on its own page (VCH-4). */
export const ReceivedCases = ({ cases }: { cases: ReturnType<typeof useReceivedCases> }) => (
  <ListScreen
    paged={cases}
    name={{ pl: 'sprawy otrzymane', en: 'received cases' }}
    search={documentSearch}
    loading={{ pl: 'Wczytujemy sprawy otrzymane', en: 'Loading received cases' }}
    empty={{
      icon: 'document',
      noMatch: noCaseFound,
      reason: {
        pl: 'Sprawa pojawi się tutaj, gdy dostaniesz od nas dokument do podpisania.',
        en: 'You’ll see a case here when we send you a document to sign.',
      },
    }}
  >
    {({ items }) => <Cases cases={items} search={cases.search} />}
  </ListScreen>
)

/** Checks whether the customer can sign, send or collect the document of a case now. */
const waits = (received: DocumentCase) =>
  isActionable(received) || (received.status === 'issuer-uploaded' && documentActions(received).length > 0)

type CasesProps = { cases: readonly DocumentCase[]; search: string }

/**
 * Shows the cases, those that wait for the customer first. `search` names this page of the list of documents, which is the same list, so
 * that each case is on that page too.
 */
function Cases({ cases, search }: CasesProps) {
  return (
    <DataTable
      className="cases"
      isCompact
      caption={{ pl: 'Sprawy otrzymane', en: 'Received cases' }}
      columns={[
        {
          title: { pl: 'Sprawa', en: 'Case' },
          cell: (received) => <CaseName received={received} search={search} />,
        },
        ...documentColumns,
      ]}
      rows={[...cases.filter(waits), ...cases.filter((received) => !waits(received))]}
      keyOf={({ id }) => id}
      actions={(received) => waits(received) && <NextStep received={received} search={search} />}
      actionsClass="table-actions"
    />
  )
}

type CaseProps = { received: DocumentCase; search: string }

function CaseName({ received, search }: CaseProps) {
  const t = useText()
  return (
    <>
      <Link className="link" to={rowAddress(received, search)}>
        <span>
          {t(received.process)}
          <Verbatim className="unseen"> ({received.application})</Verbatim>
        </span>
      </Link>
      <span className="subtext">
        {t({ pl: 'Sprawa ', en: 'Case ' })}
        <Code>{received.application}</Code>
      </span>
    </>
  )
}

function NextStep({ received, search }: CaseProps) {
  const t = useText()
  const step = signsHere(received) ? readAndSignText : { pl: 'Przejdź do dokumentu', en: 'Go to document' }
  return (
    <ButtonLink
      to={documentAddress(received, search)}
      size="s"
      aria-label={t({
        pl: `${step.pl}, sprawa ${received.application}`,
        en: `${step.en}, case ${received.application}`,
      })}
    >
      {t(step)}
    </ButtonLink>
  )
}
