import { listDeskTasks, type DeskTask } from '../../contract/desk/desk-tasks.ts'
import type { Text } from '../../contract/enums.ts'
import { useText } from '../locale.tsx'
import { PageHead } from '../page-head.tsx'
import { useAddressFilters } from '../paged-list.tsx'
import { useRead } from '../reads.ts'
import { formatDateTime } from '../text/format.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { ListRegion } from '../ui/region.tsx'
import '../ui/table.css'
import { Cell, DataTable, RowHead, TableRow } from '../ui/table.tsx'
import './trail.css'

const columns = {
  task: { pl: 'Zadanie', en: 'Task' },
  number: { pl: 'Numer sprawy', en: 'Case number' },
  customer: { pl: 'Klient', en: 'Customer' },
  since: { pl: 'Czeka od', en: 'Waiting since' },
}

const taskText: Record<DeskTask['kind'], Text> = {
  identity: { pl: 'Dokument tożsamości do sprawdzenia', en: 'Identity document to check' },
  upload: { pl: 'Podpisany dokument do sprawdzenia', en: 'Signed document to check' },
}
const kindOfCase = { identity: 'renewal', upload: 'document' } as const

/** DSK-38: what waits for the provider and a person can do, the oldest first. */
export function DeskTasksScreen() {
  const t = useText()
  const [{ filters, cursors }, setPosition] = useAddressFilters(() => ({}))
  const cursor = cursors.at(-1)
  const tasks = useRead(listDeskTasks, { query: cursor ? { cursor } : {} })
  const goTo = (next: readonly string[]) => setPosition({ filters, cursors: next })
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
          <DataTable caption={{ pl: 'Zadania', en: 'Tasks' }} columns={columns} actions>
            {items.map((task) => (
              <Row key={task.case} task={task} />
            ))}
          </DataTable>
        )}
      </ListRegion>
      {(cursor || tasks.data?.next) && (
        <nav className="trail__pages" aria-label={t({ pl: 'Strony zadań', en: 'Pages of tasks' })}>
          <Button aria-disabled={!cursor} onClick={() => cursor && goTo(cursors.slice(0, -1))}>
            {t({ pl: 'Starsze', en: 'Older' })}
          </Button>
          <Button
            aria-disabled={!tasks.data?.next}
            onClick={() => tasks.data?.next && goTo([...cursors, tasks.data.next])}
          >
            {t({ pl: 'Nowsze', en: 'Newer' })}
          </Button>
        </nav>
      )}
    </>
  )
}

function Row({ task: { kind, case: id, number, since, customer } }: { task: DeskTask }) {
  const t = useText()
  return (
    <TableRow>
      <RowHead>{t(taskText[kind])}</RowHead>
      <Cell column={columns.number} translate="no">
        {number}
      </Cell>
      <Cell column={columns.customer} translate="no">
        {customer.name}
      </Cell>
      <Cell column={columns.since}>{formatDateTime(t.locale, since, 'short')}</Cell>
      <Cell>
        <ButtonLink size="s" to={`/customers/${customer.account}/cases/${kindOfCase[kind]}/${id}`}>
          {t({ pl: 'Otwórz', en: 'Open' })}
          <span className="vh"> {number}</span>
        </ButtonLink>
      </Cell>
    </TableRow>
  )
}
