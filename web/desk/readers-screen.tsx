import { listDeskReaders, ReaderFilters, ReaderForm, type Reader } from '../../contract/desk/desk-audit.ts'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import type { DeskSession } from '../../contract/desk/desk-session.ts'
import { keysOf } from '../../contract/enums.ts'
import { useText } from '../app/locale.tsx'
import { PageHead } from '../app/page-head.tsx'
import { invalidate, useRead } from '../calls/reads.ts'
import { useAddressFilters } from '../lists/paged-list.tsx'
import { DateTimeText } from '../text/date-text.tsx'
import { formatDateTime, formatNumber } from '../text/format.ts'
import { Empty } from '../ui/empty.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { ListRegion } from '../ui/region.tsx'
import './operations.css'
import { DataTable, type Column } from '../ui/table.tsx'
import { Actor, CommonFilters, TrailTabs, Whom, actionText } from './trail-parts.tsx'

const columnsOf = (session: DeskSession): Column<Reader>[] => [
  {
    title: { pl: 'Kto odczytał', en: 'Who has read' },
    cell: ({ actor, actorName, staff }) => (
      <>
        <Actor actor={actor} name={actorName} />
        {staff && (
          <span className="subtext" translate="no">
            {staff}
          </span>
        )}
      </>
    ),
  },
  {
    title: { pl: 'Czyje dane', en: 'Whose data' },
    cell: ({ account, customer }) => <Whom account={account} customer={customer} session={session} />,
  },
  { title: { pl: 'Ile razy', en: 'How often' }, cell: ({ times }, t) => formatNumber(t.locale, times) },
  { title: { pl: 'Ostatnio', en: 'Last time' }, cell: ({ last }) => <DateTimeText at={last} length="short" /> },
  {
    title: { pl: 'Jak', en: 'How' },
    cell: ({ actions }, t) => actions.map((action) => actionText(t.locale, action)).join('; '),
  },
  { title: { pl: 'Podane powody', en: 'Reasons given' }, cell: ({ reasons }) => reasons.join('; ') || '–' },
]

function readFilters(values: Record<string, string>): ReaderFilters {
  const given = Object.fromEntries(keysOf(ReaderFilters.shape).map((name) => [name, values[name]]))
  return ReaderFilters.safeParse(given).data ?? {}
}

/** Lists who has read the data of which customer (DSK-16). */
export function ReadersScreen({ session }: { session: DeskSession }) {
  const t = useText()
  const [{ filters }, setPosition] = useAddressFilters(readFilters)
  const readers = useRead(listDeskReaders, { query: filters })

  async function show(next: ReaderFilters) {
    setPosition({ filters: next, cursors: [] })
    void invalidate(listDeskReaders)
  }

  return (
    <>
      <PageHead
        title={{ pl: 'Kto czyje dane odczytał', en: 'Who read whose data' }}
        lede={{
          pl: 'Odczyty w\u00a0konsoli, przez klucze API i\u00a0przez operatorów. Podaj osobę, aby zobaczyć jej klientów, albo klienta, aby zobaczyć, kto odczytał jego dane.',
          en: 'Readings at the desk, by API keys and by operators. Enter a person to see their customers, or a customer to see who has read their data.',
        }}
      />
      <TrailTabs />
      <search>
        <Form
          key={JSON.stringify(filters)}
          className="trail__filters"
          schema={ReaderForm}
          initial={filters as Record<string, string>}
          summary={false}
          onSubmit={show}
        >
          <CommonFilters />
          <Submit variant="secondary" icon="search">
            {t({ pl: 'Pokaż', en: 'Show' })}
          </Submit>
        </Form>
      </search>
      <ListRegion
        query={readers}
        lines={8}
        label={t({ pl: 'Wczytujemy odczyty', en: 'Loading the readings' })}
        empty={
          <Empty
            icon="clock"
            title={t({ pl: 'Brak odczytów', en: 'No readings' })}
            reason={t({ pl: 'Żaden odczyt nie pasuje do filtrów.', en: 'No reading matches the filters.' })}
          />
        }
      >
        {({ items, hasMore, readTo }) => (
          <>
            <DataTable
              className="trail"
              caption={{ pl: 'Odczyty danych', en: 'Readings of data' }}
              columns={columnsOf(session)}
              rows={items}
              keyOf={({ actor, actorName, staff, account }) => [actor, actorName, staff, account].join()}
            />
            {(hasMore || readTo) && <OmittedReadings readTo={readTo} />}
          </>
        )}
      </ListRegion>
    </>
  )
}

/** Says which readings the result leaves out, and how to see them. */
function OmittedReadings({ readTo }: { readTo: string | null }) {
  const t = useText()
  const { pairs, examined } = deskLimits.trail
  const number = (value: number) => formatNumber(t.locale, value)
  return (
    <Notice>
      {readTo
        ? t({
            pl: `Policzono ${number(examined)} najnowszych odczytów, wstecz do ${formatDateTime(t.locale, readTo)}. Aby zobaczyć starsze, podaj dzień „do”.`,
            en: `The newest ${number(examined)} readings were counted, back to ${formatDateTime(t.locale, readTo)}. Enter a day in “To” to see older ones.`,
          })
        : t({
            pl: `Pokazano ${number(pairs)} ostatnich par. Podaj osobę, klienta albo krótszy okres.`,
            en: `The latest ${number(pairs)} pairs are shown. Enter a person, a customer or a shorter time.`,
          })}
    </Notice>
  )
}
