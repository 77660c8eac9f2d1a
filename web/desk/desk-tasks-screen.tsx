import { listDeskTasks, type DeskTask } from '../../contract/desk/desk-tasks.ts'
import type { Text } from '../../contract/enums.ts'
import { useText } from '../app/locale.tsx'
import { PageHead } from '../app/page-head.tsx'
import { useRead } from '../calls/reads.ts'
import { useAddressFilters } from '../lists/paged-list.tsx'
import { formatDateTime } from '../text/format.ts'
import { ButtonLink } from '../ui/button.tsx'
import { ListRegion } from '../ui/region.tsx'
import { DataTable, type Column } from '../ui/table.tsx'
import { DeskPages } from './desk-pages.tsx'

const taskText: Record<DeskTask['kind'], Text> = {
  identity: { pl: 'Dokument tożsamości do sprawdzenia', en: 'Identity document to check' },
  upload: { pl: 'Podpisany dokument do sprawdzenia', en: 'Signed document to check' },
}
const kindOfCase = { identity: 'renewal', upload: 'document' } as const

const columns: Column<DeskTask>[] = [
  { title: { pl: 'Zadanie', en: 'Task' }, cell: ({ kind }, t) => t(taskText[kind]) },
  { title: { pl: 'Numer sprawy', en: 'Case number' }, translate: 'no', cell: ({ number }) => number },
  { title: { pl: 'Klient', en: 'Customer' }, translate: 'no', cell: ({ customer }) => customer.name },
  { title: { pl: 'Czeka od', en: 'Waiting since' }, cell: ({ since }, t) => formatDateTime(t.locale, since, 'short') },
]

/** Lists the cases that wait for the provider and that a person can handle, oldest first (DSK-38). */
export function DeskTasksScreen() {
  const t = useText()
  const [{ filters, cursors }, setPosition] = useAddressFilters(() => ({}))
  const cursor = cursors.at(-1)
  const tasks = useRead(listDeskTasks, { query: cursor ? { cursor } : {} })
  return (
    <>
      <PageHead
        title={{ pl: 'Zadania', en: 'Tasks' }}
        lede={{
          pl: 'Sprawy, które czekają na dostawcę, od najstarszej. Otwórz sprawę, żeby ją rozstrzygnąć.',
          en: 'Cases that wait for the provider, the oldest first. Open a case to decide it.',
        }}
      />
      <ListRegion
        query={tasks}
        label={t({ pl: 'Wczytujemy zadania', en: 'Loading tasks' })}
        empty={
          <p className="soft">
            {cursor
              ? t({ pl: 'Na tej stronie nic już nie czeka.', en: 'Nothing is left on this page.' })
              : t({ pl: 'Nic nie czeka na dostawcę.', en: 'Nothing waits for the provider.' })}
          </p>
        }
      >
        {({ items }) => (
          <DataTable
            caption={{ pl: 'Zadania', en: 'Tasks' }}
            columns={columns}
            rows={items}
            keyOf={({ case: id }) => id}
            actions={({ kind, case: id, number, customer }) => (
              <ButtonLink size="s" to={`/customers/${customer.account}/cases/${kindOfCase[kind]}/${id}`}>
                {t({ pl: 'Otwórz', en: 'Open' })}
                <span className="unseen"> {number}</span>
              </ButtonLink>
            )}
          />
        )}
      </ListRegion>
      {(cursor || tasks.data?.next) && (
        <DeskPages
          name={{ pl: 'Strony zadań', en: 'Pages of tasks' }}
          back={{ pl: 'Starsze', en: 'Older' }}
          onward={{ pl: 'Nowsze', en: 'Newer' }}
          cursors={cursors}
          next={tasks.data?.next}
          goTo={(to) => setPosition({ filters, cursors: to })}
        />
      )}
    </>
  )
}
