import { useId, useRef, useState } from 'react'
import { ActivityForm, exportActivity, listActivity, type ActivityWish } from '../../contract/activity.ts'
import { actKinds, type ActKind } from '../../contract/acts.ts'
import type { Text } from '../../contract/enums.ts'
import { download } from '../download.ts'
import { useLocale, useText } from '../locale.tsx'
import { forget, useRead } from '../reads.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Field } from '../ui/field.tsx'
import { Form, Submit } from '../ui/form.tsx'
import { ListPages } from '../ui/list-pages.tsx'
import { Region } from '../ui/region.tsx'
import { SaveButton } from '../ui/save-button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { ActivityTable } from './activity-table.tsx'

const kindText: Record<ActKind, Text> = {
  'sign-in': { pl: 'Logowanie i\u00a0sesje', en: 'Logins and sessions' },
  security: { pl: 'Hasło, kody i\u00a0klucze', en: 'Password, codes and passkeys' },
  'personal-data': { pl: 'Dane i\u00a0zgody', en: 'Data and consents' },
  certificates: { pl: 'Podpisy, pieczęcie i\u00a0znaczniki', en: 'Signatures, seals and timestamps' },
  documents: { pl: 'Dokumenty', en: 'Documents' },
}

type Page = { wish: ActivityWish; size: string; cursors: string[] }

/** AUT-9: the customer's own part of the audit trail, in plain words; DAT-6: as a file. */
export function ActivityCard() {
  const t = useText()
  const locale = useLocale()
  const heading = useRef<HTMLHeadingElement>(null)
  const [{ wish, size, cursors }, setPage] = useState<Page>({ wish: {}, size: '20', cursors: [] })
  const cursor = cursors.at(-1)
  const query = { ...wish, ...(size !== '20' && { size: size as '50' }), ...(cursor && { cursor }) }
  const list = useRead(listActivity, { query })
  const filtered = Object.keys(wish).length > 0
  const [cleared, setCleared] = useState(0)
  const [paged, setPaged] = useState(false)
  const pages = list.data ? !!(cursors.length || list.data.next || size !== '20') : paged
  if (pages !== paged) setPaged(pages)

  function clear() {
    setPage((page) => ({ ...page, wish: {}, cursors: [] }))
    setCleared(cleared + 1)
    // The button goes, and the focus must not fall to the top of the page (WCAG 2.4.3).
    heading.current!.focus()
  }

  const saved = (format: 'csv' | 'json') =>
    download(exportActivity, {
      params: undefined,
      query: { ...wish, format, locale },
      onProgress: () => {},
      signal: new AbortController().signal,
    })

  function turn(next: string[]) {
    setPage((page) => ({ ...page, cursors: next }))
    heading.current!.focus()
  }

  return (
    <section className="card activity" aria-labelledby="activity-title">
      <div className="activity__head">
        <h2 id="activity-title" className="h-s" tabIndex={-1} ref={heading}>
          {t({ pl: 'Historia aktywności', en: 'Activity history' })}
        </h2>
        <div className="btns">
          {(['csv', 'json'] as const).map((format) => (
            <SaveButton
              key={format}
              name={`${t({ pl: 'historia-aktywnosci', en: 'activity-history' })}.${format}`}
              load={() => saved(format)}
            >
              {t({ pl: `Pobierz ${format.toUpperCase()}`, en: `Download ${format.toUpperCase()}` })}
            </SaveButton>
          ))}
        </div>
      </div>
      <Tools key={cleared} onWish={(next) => setPage((page) => ({ ...page, wish: next, cursors: [] }))} />
      <Region
        query={list}
        skeleton={<Skeleton lines={6} />}
        label={t({ pl: 'Wczytujemy historię', en: 'Loading the history' })}
      >
        {({ items }) =>
          items.length ? (
            <ActivityTable items={items} />
          ) : (
            <Empty
              reason={t({
                pl: 'W\u00a0tym czasie nic takiego się nie działo.',
                en: 'Nothing of the kind happened then.',
              })}
              action={filtered && <Button onClick={clear}>{t({ pl: 'Wyczyść filtry', en: 'Clear filters' })}</Button>}
            />
          )
        }
      </Region>
      {pages && (
        <ListPages
          page={cursors.length + 1}
          next={list.data?.next ?? null}
          size={size}
          onBack={() => turn(cursors.slice(0, -1))}
          onNext={(next) => turn([...cursors, next])}
          onSize={(next) => setPage((page) => ({ ...page, size: next, cursors: [] }))}
        />
      )}
    </section>
  )
}

/** Applied by the button, so that nothing moves while dates are being typed. */
function Tools({ onWish }: { onWish: (wish: ActivityWish) => void }) {
  const t = useText()
  const id = useId()

  async function show(wish: ActivityWish) {
    onWish(wish)
    // What has happened since is part of the answer.
    void forget(listActivity)
  }

  return (
    <search>
      <Form className="activity__tools" schema={ActivityForm} summary={false} onSubmit={show}>
        <div className="field">
          <label htmlFor={`${id}-kind`}>{t({ pl: 'Rodzaj', en: 'Kind' })}</label>
          <select id={`${id}-kind`} name="kind" className="select">
            <option value="">{t({ pl: 'Wszystko', en: 'Everything' })}</option>
            {actKinds.map((kind) => (
              <option key={kind} value={kind}>
                {t(kindText[kind])}
              </option>
            ))}
          </select>
        </div>
        <Field name="from" type="date" label={t({ pl: 'Od dnia', en: 'From' })} />
        <Field name="to" type="date" label={t({ pl: 'Do dnia', en: 'To' })} />
        <Submit variant="secondary" icon="search">
          {t({ pl: 'Pokaż', en: 'Show' })}
        </Submit>
      </Form>
    </search>
  )
}
