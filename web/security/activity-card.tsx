import { useId, useRef, useState, type SubmitEvent } from 'react'
import { exportActivity, listActivity, type ActivityWish } from '../../contract/activity.ts'
import { actKinds, type ActKind } from '../../contract/acts.ts'
import type { Text } from '../../contract/enums.ts'
import { downloadUrl } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { forget, useRead } from '../reads.ts'
import { Button, ButtonLink } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { valuesOf } from '../ui/form-values.ts'
import { ListPages } from '../ui/list-pages.tsx'
import { Region } from '../ui/region.tsx'
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
  const [paged, setPaged] = useState(false)
  const pages = list.data ? !!(cursors.length || list.data.next || size !== '20') : paged
  if (pages !== paged) setPaged(pages)

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
            <ButtonLink
              key={format}
              variant="quiet"
              size="s"
              icon="download"
              href={downloadUrl(exportActivity, undefined, { ...wish, format, locale })}
              download
            >
              {t({ pl: `Pobierz ${format.toUpperCase()}`, en: `Download ${format.toUpperCase()}` })}
            </ButtonLink>
          ))}
        </div>
      </div>
      <Tools wish={wish} onWish={(next) => setPage((page) => ({ ...page, wish: next, cursors: [] }))} />
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
              action={
                filtered && (
                  <Button onClick={() => setPage((page) => ({ ...page, wish: {}, cursors: [] }))}>
                    {t({ pl: 'Wyczyść filtry', en: 'Clear filters' })}
                  </Button>
                )
              }
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

/** Applied by the button, so that nothing moves while dates are being typed. Its key empties it when the filters are cleared. */
function Tools({ wish, onWish }: { wish: ActivityWish; onWish: (wish: ActivityWish) => void }) {
  const t = useText()
  const id = useId()
  const none = Object.keys(wish).length === 0

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const wanted = Object.entries(valuesOf(event.currentTarget)).filter(([, value]) => value)
    onWish(Object.fromEntries(wanted))
    // What has happened since is part of the answer.
    void forget(listActivity)
  }

  return (
    <search>
      <form key={none ? 'all' : 'some'} className="activity__tools" onSubmit={submit}>
        <div className="field">
          <label htmlFor={`${id}-kind`}>{t({ pl: 'Rodzaj', en: 'Kind' })}</label>
          <select id={`${id}-kind`} name="kind" className="select" defaultValue={wish.kind ?? ''}>
            <option value="">{t({ pl: 'Wszystko', en: 'Everything' })}</option>
            {actKinds.map((kind) => (
              <option key={kind} value={kind}>
                {t(kindText[kind])}
              </option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor={`${id}-from`}>{t({ pl: 'Od dnia', en: 'From' })}</label>
          <input id={`${id}-from`} name="from" type="date" className="input" defaultValue={wish.from} />
        </div>
        <div className="field">
          <label htmlFor={`${id}-to`}>{t({ pl: 'Do dnia', en: 'To' })}</label>
          <input id={`${id}-to`} name="to" type="date" className="input" defaultValue={wish.to} />
        </div>
        <Button type="submit" icon="search">
          {t({ pl: 'Pokaż', en: 'Show' })}
        </Button>
      </form>
    </search>
  )
}
