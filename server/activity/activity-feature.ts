import { deviceName } from '../../contract/device.ts'
import { reasons, type ExportedList } from '../platform/exported-data.ts'
import type { ServerFeature } from '../platform/portal.ts'
import { listSessions, revokeSession, revokeOtherSessions, type SessionRow } from './active-sessions.ts'
import { listActivity, exportActivity } from './activity.ts'

const title = { pl: 'Sesje i\u00a0znane urządzenia', en: 'Sessions and known devices' }

const exportedSessions: ExportedList<SessionRow> = {
  table: 'sessions',
  columns: 'id stage browser system address country started_at used_at ends_at absolute_ends_at',
  omitted: { token_hash: reasons.secret },
  order: 'started_at',
  title,
  describe: (session) => ({
    name: deviceName(session) || { pl: 'Nieznane urządzenie', en: 'Unknown device' },
    rows: [
      [{ pl: 'Od', en: 'Since' }, session.startedAt],
      [{ pl: 'Ostatnio używana', en: 'Last used' }, session.usedAt],
      [{ pl: 'Adres IP', en: 'IP address' }, session.address],
      [{ pl: 'Kraj', en: 'Country' }, session.country],
    ],
  }),
}

const exportedDevices: ExportedList = {
  key: 'knownDevices',
  table: 'devices',
  columns: 'expires_at=knownUntil',
  omitted: { token_hash: reasons.secret },
  order: 'expires_at',
  title,
  name: { pl: 'Znane urządzenie', en: 'Known device' },
  rows: [[{ pl: 'Pamiętane do', en: 'Remembered until' }, 'knownUntil']],
}

export const activityFeature: ServerFeature = {
  calls: [listActivity, exportActivity, listSessions, revokeSession, revokeOtherSessions],
  exportData: [exportedSessions, exportedDevices],
}
