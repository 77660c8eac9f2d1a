import {
  listDeskSessions,
  revokeDeskSession,
  type DeskSession,
  type ListedDeskSession,
} from '../../contract/desk/desk-session.ts'
import { deviceName } from '../../contract/device.ts'
import { useText } from '../app/locale.tsx'
import { PageHead } from '../app/page-head.tsx'
import { call } from '../calls/api.ts'
import { invalidate, useRead } from '../calls/reads.ts'
import { formatDateTime } from '../text/format.ts'
import { useAction } from '../ui/action.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Region } from '../ui/region.tsx'
import { DataTable, type Column } from '../ui/table.tsx'

const columns: Column<ListedDeskSession>[] = [
  { title: { pl: 'Osoba', en: 'Person' }, translate: 'no', cell: ({ name }) => name },
  { title: { pl: 'Urządzenie', en: 'Device' }, cell: ({ device }) => deviceName(device) || '–' },
  { title: { pl: 'Adres sieciowy', en: 'Network address' }, cell: ({ address }) => address },
  { title: { pl: 'Początek', en: 'Signed in' }, cell: ({ startedAt }, t) => formatDateTime(t.locale, startedAt) },
  { title: { pl: 'Ostatnie użycie', en: 'Last used' }, cell: ({ usedAt }, t) => formatDateTime(t.locale, usedAt) },
]

/** Lists the live sessions at the desk, each of which can be ended (DSK-4). */
export function DeskSessionsScreen({ session: { roles } }: { session: DeskSession }) {
  const t = useText()
  const sessions = useRead(listDeskSessions)
  const { run, failureText } = useAction(async (id: string) => {
    await call(revokeDeskSession, { params: { id } })
    await invalidate(listDeskSessions)
  })
  return (
    <>
      <PageHead
        title={{ pl: 'Sesje', en: 'Sessions' }}
        lede={
          roles.includes('administrator')
            ? { pl: 'Wszystkie trwające sesje w\u00a0konsoli.', en: 'Everybody’s live sessions at the desk.' }
            : { pl: 'Twoje trwające sesje w\u00a0konsoli.', en: 'Your live sessions at the desk.' }
        }
      />
      {failureText && (
        <Notice kind="error" role="alert">
          {failureText}
        </Notice>
      )}
      <Region query={sessions} label={t({ pl: 'Wczytujemy sesje', en: 'Loading sessions' })}>
        {({ items }) => (
          <DataTable
            caption={{ pl: 'Sesje w\u00a0konsoli', en: 'Sessions at the desk' }}
            columns={columns}
            rows={items}
            keyOf={({ id }) => id}
            actions={({ id, isOwn }) =>
              isOwn ? (
                t({ pl: 'Ta sesja', en: 'This session' })
              ) : (
                <Button size="s" onClick={() => void run(id)}>
                  {t({ pl: 'Zakończ', en: 'End' })}
                </Button>
              )
            }
          />
        )}
      </Region>
    </>
  )
}
