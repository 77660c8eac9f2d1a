import { isOff } from '../config.ts'
import { ActivityCard } from './activity-card.tsx'
import { DataExportCard } from './data-export-card.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { SessionsCard } from './sessions-card.tsx'
import './security.css'

/** AUT-8, AUT-9: how the account is entered, from where, and what happened in it. */
export function SecurityCards() {
  return (
    <div className="security">
      {!isOff('passkeys') && <PasskeysCard />}
      <SessionsCard />
      {!isOff('data-export') && <DataExportCard />}
      <ActivityCard />
    </div>
  )
}
