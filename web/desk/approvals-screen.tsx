import { useEffect } from 'react'
import { listProposals, type ListedProposal } from '../../contract/desk/desk-proposals.ts'
import { useText } from '../app/locale.tsx'
import { PageHead } from '../app/page-head.tsx'
import { refetch, useRead } from '../calls/reads.ts'
import { formatDateTime } from '../text/format.ts'
import { ButtonLink } from '../ui/button.tsx'
import { ListRegion } from '../ui/region.tsx'
import { DataTable, type Column } from '../ui/table.tsx'
import { proposalKindText } from './proposal-text.ts'
import { useEvery } from './use-every.ts'

const columns: Column<ListedProposal>[] = [
  { title: { pl: 'Zmiana', en: 'Change' }, cell: ({ kind }, t) => t(proposalKindText[kind]) },
  { title: { pl: 'Proponuje', en: 'Proposed by' }, translate: 'no', cell: ({ by }) => by },
  { title: { pl: 'Wygasa', en: 'Expires' }, cell: ({ until }, t) => formatDateTime(t.locale, until) },
]

/** The list has no data of customers, so the page may read it by itself. */
const checkIntervalMs = 60_000

/** Lists the changes that wait for a second person; the data of customers is on the page of each change (DSK-24). */
export function ApprovalsScreen() {
  const t = useText()
  const proposals = useRead(listProposals)
  // What a colleague has just proposed is there at once.
  useEffect(() => void refetch(listProposals), [])
  useEvery(checkIntervalMs, () => refetch(listProposals))
  return (
    <>
      <PageHead
        title={{ pl: 'Do zatwierdzenia', en: 'Approvals' }}
        lede={{
          pl: 'Zmiany, które czekają na drugą osobę. Wygasają po 24\u00a0godzinach.',
          en: 'Changes that wait for a second person. They expire after 24 hours.',
        }}
      />
      <ListRegion
        query={proposals}
        label={t({ pl: 'Wczytujemy propozycje', en: 'Loading proposals' })}
        empty={
          <p className="soft">{t({ pl: 'Nic nie czeka na zatwierdzenie.', en: 'Nothing waits for approval.' })}</p>
        }
      >
        {({ items }) => (
          <DataTable
            caption={{ pl: 'Propozycje zmian', en: 'Proposed changes' }}
            columns={columns}
            rows={items}
            keyOf={({ id }) => id}
            actions={({ id, isOwn }) => (
              <ButtonLink size="s" to={`/approvals/${id}`}>
                {isOwn ? t({ pl: 'Twoja propozycja', en: 'Your proposal' }) : t({ pl: 'Sprawdź', en: 'Review' })}
              </ButtonLink>
            )}
          />
        )}
      </ListRegion>
    </>
  )
}
