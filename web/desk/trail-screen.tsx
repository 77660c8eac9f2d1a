import { useId, useState } from 'react'
import * as z from 'zod/mini'
import { allAuditActions } from '../../contract/desk/all-audit-actions.ts'
import {
  exportDeskAudit,
  listDeskAudit,
  TrailFilters,
  TrailForm,
  type DeskEntry,
} from '../../contract/desk/desk-audit.ts'
import { deskLimits } from '../../contract/desk/desk-limits.ts'
import type { DeskSession } from '../../contract/desk/desk-session.ts'
import { type Text, keysOf } from '../../contract/enums.ts'
import { fieldProblem, text } from '../../contract/fields.ts'
import { auditActors } from '../../contract/provider/audit-trail.ts'
import { useText } from '../app/locale.tsx'
import { PageHead } from '../app/page-head.tsx'
import { hasFailedWith } from '../calls/api.ts'
import { download } from '../calls/download.ts'
import { invalidate, useRead } from '../calls/reads.ts'
import { useAddressFilters } from '../lists/paged-list.tsx'
import { DateTimeText } from '../text/date-text.tsx'
import { formatDateTime, formatNumber } from '../text/format.ts'
import { Empty } from '../ui/empty.tsx'
import { Field } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { Notice } from '../ui/notice.tsx'
import { Region } from '../ui/region.tsx'
import { SaveButton } from '../ui/save-button.tsx'
import { Select, textOptions } from '../ui/select.tsx'
import { DataTable, type Column } from '../ui/table.tsx'
import { DeskPages } from './desk-pages.tsx'
import './operations.css'
import { Actor, CommonFilters, TrailTabs, Whom, actionText, actorText } from './trail-parts.tsx'

const detailsText = { pl: 'Szczegóły', en: 'Details' }
const columnsOf = (session: DeskSession): Column<DeskEntry>[] => [
  { title: { pl: 'Kiedy', en: 'When' }, cell: ({ at }) => <DateTimeText at={at} length="short" /> },
  { title: { pl: 'Działanie', en: 'Action' }, cell: ({ action }, t) => actionText(t.locale, action) },
  { title: { pl: 'Kto', en: 'Who' }, cell: ({ actor, actorName }) => <Actor actor={actor} name={actorName} /> },
  {
    title: { pl: 'Kogo dotyczy', en: 'About whom' },
    cell: ({ account, customer }) => <Whom account={account} customer={customer} session={session} />,
  },
  { title: { pl: 'Adres sieciowy', en: 'Network address' }, cell: ({ address }) => address ?? '–' },
  {
    title: detailsText,
    cell: ({ position, at, action, details }) => <Details entry={{ position, at, action, ...details }} />,
  },
]

/** Reads the filters from the address, without its other parameters. */
function readFilters(values: Record<string, string>): TrailFilters {
  const given = Object.fromEntries(keysOf(TrailFilters.shape).map((name) => [name, values[name]]))
  return TrailFilters.safeParse(given).data ?? {}
}

/** Shows the audit trail, with its filters, pages and files (DSK-13, DSK-15). */
export function TrailScreen({ session }: { session: DeskSession }) {
  const t = useText()
  const [{ filters, cursors }, setPosition] = useAddressFilters(readFilters)
  const cursor = cursors.at(-1)
  const trail = useRead(listDeskAudit, { query: { ...filters, ...(cursor && { cursor }) } })

  function show(next: TrailFilters) {
    setPosition({ filters: next, cursors: [] })
    // The result includes what has happened since.
    void invalidate(listDeskAudit)
  }

  return (
    <>
      <PageHead
        title={{ pl: 'Dziennik', en: 'Audit trail' }}
        lede={{
          pl: 'Każde wyszukanie i\u00a0każdy pobrany plik też zapisujemy w\u00a0dzienniku, z\u00a0Twoim nazwiskiem.',
          en: 'Each search and each file is an entry of the trail too, with your name.',
        }}
      />
      <TrailTabs />
      <Filters key={JSON.stringify(filters)} filters={filters} onApply={show} />
      <Files filters={filters} />
      <Region query={trail} lines={8} label={t({ pl: 'Wczytujemy dziennik', en: 'Loading the audit trail' })}>
        {({ items, next, readTo }) => (
          <>
            {items.length > 0 && (
              <DataTable
                className="trail"
                caption={{ pl: 'Wpisy dziennika', en: 'Entries of the trail' }}
                columns={columnsOf(session)}
                rows={items}
                keyOf={({ position }) => String(position)}
              />
            )}
            {readTo ? <SearchCutOff at={readTo} /> : items.length === 0 && <NoEntries />}
            <DeskPages
              name={{ pl: 'Strony dziennika', en: 'Pages of the trail' }}
              back={{ pl: 'Nowsze', en: 'Newer' }}
              onward={{ pl: 'Starsze', en: 'Older' }}
              cursors={cursors}
              next={next}
              goTo={(to) => setPosition({ filters, cursors: to })}
            />
          </>
        )}
      </Region>
    </>
  )
}

const NoEntries = () => {
  const t = useText()
  return (
    <Empty
      icon="clock"
      title={t({ pl: 'Brak wpisów', en: 'No entries' })}
      reason={t({ pl: 'Żaden wpis nie pasuje do filtrów.', en: 'No entry matches the filters.' })}
    />
  )
}

/** Says that the search for this page ended early, and how far back it went. */
function SearchCutOff({ at }: { at: string }) {
  const t = useText()
  const [until, most] = [formatDateTime(t.locale, at), formatNumber(t.locale, deskLimits.trail.examined)]
  return (
    <Notice>
      {t({
        pl: `Przejrzano ${most} wpisów, wstecz do ${until}. Przycisk „Starsze” szuka dalej; krótszy okres albo klient przyspieszą wyszukiwanie.`,
        en: `${most} entries were examined, back to ${until}. “Older” goes on from there; a shorter time or a customer makes the search faster.`,
      })}
    </Notice>
  )
}

/** The code of an action follows its text, so that each choice differs. */
const separator = ' · '
const codes = keysOf(allAuditActions)
const ActionChoice = z.pipe(
  z.pipe(
    text(200),
    z.transform((chosen: string) => chosen.split(separator).at(-1)!.trim()),
  ),
  z.enum(codes, fieldProblem('format')),
)
const Chosen = z.pipe(z.extend(TrailFilters, { action: z.optional(ActionChoice) }), TrailForm)

const anyActor: Text = { pl: 'wszyscy', en: 'all' }

function Filters({ filters, onApply }: { filters: TrailFilters; onApply: (filters: TrailFilters) => void }) {
  const t = useText()
  const id = useId()
  const choice = (code: (typeof codes)[number]) => `${actionText(t.locale, code)}${separator}${code}`
  const { action, actor, ...texts } = filters
  return (
    <search>
      <Form
        className="trail__filters"
        schema={Chosen}
        initial={{ ...(texts as Record<string, string>), ...(action && { action: choice(action) }) }}
        summary={false}
        onSubmit={async (chosen) => onApply(chosen)}
      >
        <CommonFilters />
        <Field
          name="action"
          label={t({ pl: 'Działanie', en: 'Action' })}
          aria-required={false}
          autoComplete="off"
          spellCheck={false}
          list={id}
        />
        <datalist id={id}>
          {codes
            .map(choice)
            .toSorted((a, b) => a.localeCompare(b, t.locale))
            .map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
        </datalist>
        <Select
          name="actor"
          label={t({ pl: 'Rodzaj wykonawcy', en: 'Type of actor' })}
          options={[{ value: '', label: t(anyActor) }, ...textOptions(t.locale, actorText)]}
          value={auditActors.find((each) => each === actor) ?? ''}
        />
        <Submit variant="secondary" icon="search">
          {t({ pl: 'Pokaż', en: 'Show' })}
        </Submit>
      </Form>
    </search>
  )
}

/** Offers the entries that match the filters as a file. */
function Files({ filters }: { filters: TrailFilters }) {
  const t = useText()
  const [isTooWide, setIsTooWide] = useState(false)
  async function load(format: 'csv' | 'ndjson') {
    setIsTooWide(false)
    try {
      const query = { ...filters, format, locale: t.locale }
      const { signal } = new AbortController()
      return await download(exportDeskAudit, { params: undefined, query, onProgress: () => {}, signal })
    } catch (error) {
      setIsTooWide(hasFailedWith(error, 'invalid-input'))
      throw error
    }
  }
  const most = formatNumber(t.locale, deskLimits.trail.exported)
  return (
    <>
      <div className="buttons">
        {(['csv', 'ndjson'] as const).map((format) => (
          <SaveButton
            key={format}
            name={`${t({ pl: 'dziennik', en: 'audit-trail' })}.${format}`}
            load={() => load(format)}
          >
            {t({ pl: `Pobierz ${format.toUpperCase()}`, en: `Download ${format.toUpperCase()}` })}
          </SaveButton>
        ))}
      </div>
      {isTooWide && (
        <Notice kind="warning" role="alert">
          {t({
            pl: `Filtr jest za szeroki: plik może mieć ${most} wpisów. Skróć okres albo wybierz działanie lub klienta.`,
            en: `The filter is too wide: a file can have ${most} entries. Shorten the time, or choose an action or a customer.`,
          })}
        </Notice>
      )}
    </>
  )
}

/** Shows the other fields of an entry, as they are stored. */
function Details({ entry }: { entry: Record<string, unknown> }) {
  const t = useText()
  return (
    <details className="trail__details">
      <summary>{t(detailsText)}</summary>
      <dl translate="no">
        {Object.entries(entry).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{String(value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
