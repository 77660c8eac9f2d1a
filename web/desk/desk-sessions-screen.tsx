import { deviceName } from '../../contract/device.ts'
import {
  listDeskSessions,
  revokeDeskSession,
  type DeskSession,
  type ListedDeskSession,
} from '../../contract/desk/desk-session.ts'
import { useAction } from '../action.ts'
import { call } from '../api.ts'
import { useText } from '../locale.tsx'
import { PageHead } from '../page-head.tsx'
import { invalidate, useRead } from '../reads.ts'
import { formatDateTime } from '../text/format.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Region } from '../ui/region.tsx'
import '../ui/table.css'
import { Cell, DataTable, RowHead, TableRow } from '../ui/table.tsx'

const columns = {
  name: { pl: 'Osoba', en: 'Person' },
  device: { pl: 'Urządzenie', en: 'Device' },
  address: { pl: 'Adres sieciowy', en: 'Network address' },
  startedAt: { pl: 'Początek', en: 'Signed in' },
  usedAt: { pl: 'Ostatnie użycie', en: 'Last used' },
}

/** DSK-4: live sessions at the desk, each of which can be ended. */
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
        <Notice kind="err" role="alert">
          {failureText}
        </Notice>
      )}
      <Region query={sessions} label={t({ pl: 'Wczytujemy sesje', en: 'Loading sessions' })}>
        {({ items }) => (
          <DataTable caption={{ pl: 'Sesje w\u00a0konsoli', en: 'Sessions at the desk' }} columns={columns} actions>
            {items.map((each) => (
              <Row key={each.id} session={each} onEnd={() => void run(each.id)} />
            ))}
          </DataTable>
        )}
      </Region>
    </>
  )
}

function Row({ session, onEnd }: { session: ListedDeskSession; onEnd: () => void }) {
  const t = useText()
  const { name, device, address, startedAt, usedAt, isOwn } = session
  return (
    <TableRow>
      <RowHead translate="no">{name}</RowHead>
      <Cell column={columns.device}>{deviceName(device) || '–'}</Cell>
      <Cell column={columns.address}>{address}</Cell>
      <Cell column={columns.startedAt}>{formatDateTime(t.locale, startedAt)}</Cell>
      <Cell column={columns.usedAt}>{formatDateTime(t.locale, usedAt)}</Cell>
      <Cell>
        {isOwn ? (
          t({ pl: 'Ta sesja', en: 'This session' })
        ) : (
          <Button size="s" onClick={onEnd}>
            {t({ pl: 'Zakończ', en: 'End' })}
          </Button>
        )}
      </Cell>
    </TableRow>
  )
}
