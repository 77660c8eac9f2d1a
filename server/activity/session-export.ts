import { sql } from 'kysely'
import { deviceName } from '../../contract/device.ts'
import type { Db } from '../platform/database/database.ts'
import type { ExportData, ExportedRow } from '../platform/exported-data.ts'
import type { SessionRow } from './session-store.ts'

/** Sessions and known devices in the copy of all data. */
export const exportSessions: ExportData = async ({ db, accountId }) => {
  const sessions = await readSessions(db, accountId)
  const knownDevices = await readDevices(db, accountId)
  return {
    json: { sessions, knownDevices },
    sections: [
      {
        title: { pl: 'Sesje i\u00a0znane urządzenia', en: 'Sessions and known devices' },
        things: [
          ...sessions.map((session) => ({
            name: deviceName(session) || { pl: 'Nieznane urządzenie', en: 'Unknown device' },
            rows: [
              [{ pl: 'Od', en: 'Since' }, session.startedAt],
              [{ pl: 'Ostatnio używana', en: 'Last used' }, session.usedAt],
              [{ pl: 'Adres IP', en: 'IP address' }, session.address],
              [{ pl: 'Kraj', en: 'Country' }, session.country],
            ] satisfies ExportedRow[],
          })),
          ...knownDevices.map(({ knownUntil }) => ({
            name: { pl: 'Znane urządzenie', en: 'Known device' },
            rows: [[{ pl: 'Pamiętane do', en: 'Remembered until' }, knownUntil]] satisfies ExportedRow[],
          })),
        ],
      },
    ],
  }
}

type ExportedSession = SessionRow & { stage: 'pending' | 'signed-in'; endsAt: Date; absoluteEndsAt: Date }

async function readSessions(db: Db, accountId: string): Promise<ExportedSession[]> {
  const { rows } = await sql<ExportedSession>`
    select id, stage, browser, system, address, country, started_at, used_at, ends_at, absolute_ends_at
    from sessions where account_id = ${accountId} order by started_at`.execute(db)
  return rows
}

async function readDevices(db: Db, accountId: string): Promise<{ knownUntil: Date }[]> {
  const { rows } = await sql<{ knownUntil: Date }>`
    select expires_at as known_until from devices where account_id = ${accountId} order by expires_at`.execute(db)
  return rows
}
