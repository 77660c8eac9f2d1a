import { useState } from 'react'
import { ActivityFilters, ActivityForm, exportActivity, listActivity } from '../../contract/activity.ts'
import type { AuditActionKind } from '../../contract/audit-actions.ts'
import type { Text } from '../../contract/enums.ts'
import { isOff } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { download } from '../calls/download.ts'
import { invalidate } from '../calls/reads.ts'
import { FoundCount } from '../lists/list-search.tsx'
import { useAddressFilters, usePagedList } from '../lists/paged-list.tsx'
import { Button } from '../ui/button.tsx'
import { DateField } from '../ui/date-field.tsx'
import { Empty } from '../ui/empty.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { ListRegion } from '../ui/region.tsx'
import { SaveButton } from '../ui/save-button.tsx'
import { Select, textOptions } from '../ui/select.tsx'
import { ActivityTable } from './activity-table.tsx'

const kindTexts = (): Record<AuditActionKind | '', Text> => ({
  '': { pl: 'Wszystko', en: 'Everything' },
  'sign-in': { pl: 'Logowanie i\u00a0sesje', en: 'Sign-ins and sessions' },
  security: isOff('passkeys')
    ? { pl: 'Hasło i\u00a0kody', en: 'Password and codes' }
    : { pl: 'Hasło, kody i\u00a0klucze', en: 'Password, codes and passkeys' },
  'personal-data': { pl: 'Dane i\u00a0zgody', en: 'Data and consents' },
  certificates: { pl: 'Podpisy, pieczęcie i\u00a0znaczniki', en: 'Signatures, seals and timestamps' },
  documents: { pl: 'Dokumenty', en: 'Documents' },
})

const { shape } = ActivityFilters

/** Reads the filters in the address, without invalid values. */
const readFilters = ({ kind, from, to }: Record<string, string>): ActivityFilters => ({
  kind: shape.kind.safeParse(kind).data,
  from: shape.from.safeParse(from).data,
  to: shape.to.safeParse(to).data,
})

/** Shows the customer's own part of the audit trail (AUT-9), also as a file (DAT-6). */
export function ActivityCard() {
  const t = useText()
  const activity = usePagedList(listActivity, useAddressFilters(readFilters))
  const { list, filters, heading, isFiltered } = activity
  const [cleared, setCleared] = useState(0)

  function clear() {
    activity.setFilters({})
    setCleared(cleared + 1)
    // The button disappears, and the focus must not move to the top of the page (WCAG 2.4.3).
    heading.current?.focus()
  }

  const saveAs = (format: 'csv' | 'json') =>
    download(exportActivity, {
      params: undefined,
      query: { ...filters, format, locale: t.locale },
      onProgress: () => {},
      signal: new AbortController().signal,
    })

  return (
    <section className="card activity" aria-labelledby="activity-title">
      <div className="activity__head">
        <h2 id="activity-title" className="small-heading" tabIndex={-1} ref={heading}>
          {t({ pl: 'Historia aktywności', en: 'Activity history' })}
        </h2>
        <div className="buttons">
          {(['csv', 'json'] as const).map((format) => (
            <SaveButton
              key={format}
              name={`${t({ pl: 'historia-aktywnosci', en: 'activity-history' })}.${format}`}
              load={() => saveAs(format)}
            >
              {t({ pl: `Pobierz ${format.toUpperCase()}`, en: `Download ${format.toUpperCase()}` })}
            </SaveButton>
          ))}
        </div>
      </div>
      <Tools key={cleared} filters={cleared ? {} : filters} onApply={activity.setFilters} />
      <FoundCount page={list.data} isFiltered={isFiltered} />
      <ListRegion
        query={list}
        lines={6}
        label={t({ pl: 'Wczytujemy historię', en: 'Loading the history' })}
        empty={
          <Empty
            icon="clock"
            title={t({ pl: 'Brak zdarzeń', en: 'No activity' })}
            reason={
              filters.from || filters.to
                ? t({ pl: 'W\u00a0tym okresie nic się nie wydarzyło.', en: 'There’s no activity in this period.' })
                : t({ pl: 'Nie ma zdarzeń tego rodzaju.', en: 'There’s no activity of this type.' })
            }
            action={isFiltered && <Button onClick={clear}>{t({ pl: 'Wyczyść filtry', en: 'Clear filters' })}</Button>}
          />
        }
      >
        {({ items }) => <ActivityTable items={items} />}
      </ListRegion>
      {activity.pageButtons}
    </section>
  )
}

type ToolsProps = { filters: ActivityFilters; onApply: (filters: ActivityFilters) => void }

/** Shows the filters, which a button applies, so that nothing moves while dates are being typed. */
function Tools({ filters: { kind, from, to }, onApply }: ToolsProps) {
  const t = useText()
  const set = [kind, from, to].filter(Boolean).length
  const [isOpen, setIsOpen] = useState(set > 0)

  async function show(filters: ActivityFilters) {
    onApply(filters)
    // The result includes what has happened since.
    void invalidate(listActivity)
  }

  return (
    <search>
      {/* On a phone they are as high as the list. */}
      <Button
        size="s"
        icon="filter"
        className="activity__open"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        {t({ pl: 'Filtry', en: 'Filters' })}
        {set > 0 && ` (${set})`}
      </Button>
      <Form
        className={isOpen ? 'activity__tools' : 'activity__tools is-folded'}
        schema={ActivityForm}
        initial={{ from: from ?? '', to: to ?? '' }}
        summary={false}
        onSubmit={show}
      >
        <Select
          name="kind"
          label={t({ pl: 'Rodzaj', en: 'Type' })}
          options={textOptions(t.locale, kindTexts())}
          value={kind ?? ''}
        />
        <DateField name="from" required={false} label={t({ pl: 'Od dnia', en: 'From' })} />
        <DateField name="to" required={false} label={t({ pl: 'Do dnia', en: 'To' })} />
        <Submit variant="secondary" icon="search">
          {t({ pl: 'Pokaż', en: 'Show' })}
        </Submit>
      </Form>
    </search>
  )
}
