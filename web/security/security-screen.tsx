import { ActivityCard } from '../activity/activity-card.tsx'
import { SessionsCard } from '../activity/sessions-card.tsx'
import { isOff } from '../app/config.ts'
import { PageHead } from '../app/page-head.tsx'
import { DataExportCard } from '../data-export/data-export-card.tsx'
import { PasskeysCard } from '../passkeys/passkeys-card.tsx'
import './security.css'

/** Shows how the customer signs in to the account, from where, and what happened in it (AUT-11). */
export function SecurityScreen() {
  return (
    <>
      <PageHead
        title={{ pl: 'Bezpieczeństwo', en: 'Security' }}
        lede={
          isOff('passkeys')
            ? {
                pl: 'Sesje i\u00a0historia Twojego konta w\u00a0jednym miejscu.',
                en: 'Your account’s sessions and history in one place.',
              }
            : {
                pl: 'Klucze, sesje i\u00a0historia Twojego konta w\u00a0jednym miejscu.',
                en: 'Your account’s passkeys, sessions and history in one place.',
              }
        }
      />
      <div className="stack security">
        {!isOff('passkeys') && <PasskeysCard />}
        <SessionsCard />
        {!isOff('data-export') && <DataExportCard />}
        <ActivityCard />
      </div>
    </>
  )
}
