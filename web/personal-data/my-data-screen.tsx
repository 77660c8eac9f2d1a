import { useState } from 'react'
import { readMyData } from '../../contract/personal-data.ts'
import { readPhoneChange } from '../../contract/phone-change.ts'
import { isOff } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { PageHead } from '../app/page-head.tsx'
import { CalendarCard } from '../calendar/calendar-card.tsx'
import { useRead } from '../calls/reads.ts'
import {
  ContactCard,
  changePhoneText,
  openChange,
  PhoneChangeHelp,
  PhoneChangePart,
} from '../phone-change/phone-change.tsx'
import { Region } from '../ui/region.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import './my-data.css'
import { ConsentsCard } from './consents-card.tsx'
import { DocumentCard, PersonCard } from './my-data-cards.tsx'
import { RemindersCard } from './reminders-card.tsx'

/** Shows the customer's personal data, consents (REG-5), reminders (SIG-5) and calendar (CAL-1). */
export function MyDataScreen() {
  const t = useText()
  const data = useRead(readMyData)
  const phone = useRead(readPhoneChange)
  // While the number is being changed, that is the only task on the page (DAT-9).
  const [changedTo, setChangedTo] = useState<string>()
  const isChanging = changedTo === undefined && !!openChange(phone.data)
  const label = t({ pl: 'Wczytujemy Twoje dane', en: 'Loading your data' })
  const skeleton = (
    <div className="card">
      <Skeleton lines={6} />
    </div>
  )

  return (
    <>
      <PageHead title={isChanging ? changePhoneText : { pl: 'Moje dane', en: 'My data' }} />
      <div className={isChanging ? 'my-data my-data--task' : 'my-data'}>
        {/* How the customer is reached, and next to it who they are; below it what they set. */}
        <div className="stack">
          <Region query={data} skeleton={skeleton} label={label}>
            {(known) =>
              isOff('phone-change') ? (
                <ContactCard data={known} />
              ) : (
                <Region query={phone} skeleton={skeleton} label={label}>
                  {(state) => <PhoneChangePart data={known} state={state} done={changedTo} onDone={setChangedTo} />}
                </Region>
              )
            }
          </Region>
        </div>
        <div className="stack">
          <Region query={data} skeleton={skeleton} label={label}>
            {(known) =>
              isChanging ? (
                <PhoneChangeHelp phone={known.maskedPhone} />
              ) : (
                <>
                  <PersonCard data={known} />
                  <DocumentCard data={known} />
                </>
              )
            }
          </Region>
        </div>
        {!isChanging && (
          <>
            <div className="stack">
              {!(isOff('signatures') && isOff('seals')) && <RemindersCard />}
              {!isOff('calendar') && <CalendarCard />}
            </div>
            <ConsentsCard />
          </>
        )}
      </div>
    </>
  )
}
