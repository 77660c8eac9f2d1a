import { useEffect, useRef, useState } from 'react'
import type { Reply } from '../../contract/endpoint.ts'
import { readMyData, type MyData } from '../../contract/my-data.ts'
import { readPhoneChange, startPhoneChange } from '../../contract/phone-change.ts'
import { call, CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { focusHeading } from '../page-title.ts'
import { forget } from '../reads.ts'
import { describeFailure, failureText } from '../text/failure-text.ts'
import { formatDateTime } from '../text/format.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { SupportLine } from '../ui/support-line.tsx'
import { toast } from '../ui/toast.tsx'
import { ContactCard } from './my-data-cards.tsx'
import { PhoneChangeDone } from './phone-change-done.tsx'
import { PhoneChangeTask } from './phone-change-task.tsx'

type State = Reply<typeof readPhoneChange>
type Props = { data: MyData; state: State }

const goneOn = {
  pl: 'Zmiana numeru potoczyła się dalej w\u00a0innej karcie. Pokazujemy, na czym stoi teraz.',
  en: 'The change of the number has gone on in another tab. This is where it stands now.',
}

/** The contact data, and above them the change of the number while it is under way or just done (DAT-2…DAT-4). */
export function PhoneChangePart({ data, state }: Props) {
  const t = useText()
  const [acted, setActed] = useState(false)
  const [done, setDone] = useState<string>()
  const { change, blockedUntil } = state

  /** What the server says of the change is read anew after each act, so that two tabs can never be of two minds. */
  async function act(calling: () => Promise<unknown>) {
    setActed(true)
    try {
      await calling()
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      const isOver = error.code === 'phone-change-blocked' || error.code === 'state-passed'
      if (!isOver) throw error
      // The block has a notice of its own.
      if (error.code === 'state-passed') {
        toast({ title: t(goneOn), variant: 'destructive' })
        // Where nothing of the change is left, its heading cannot take the focus.
        focusHeading()
      }
    }
    await forget(readPhoneChange)
  }

  return (
    <>
      {done !== undefined && <PhoneChangeDone phone={done} />}
      {change && done === undefined && (
        <PhoneChangeTask
          key={change.step}
          change={change}
          phone={data.phone}
          focus={acted}
          act={act}
          onDone={(phone) => {
            setDone(phone)
            void forget(readMyData)
          }}
        />
      )}
      <ContactCard data={data}>
        {blockedUntil && <Blocked until={blockedUntil} focus={acted} />}
        {!change && !blockedUntil && done === undefined && <Begin data={data} state={state} act={act} />}
      </ContactCard>
    </>
  )
}

/** DAT-4, with when it ends and what to do until then (ux 3.4). */
function Blocked({ until, focus }: { until: string; focus: boolean }) {
  const t = useText()
  const locale = useLocale()
  const notice = useRef<HTMLDivElement>(null)
  const wasActed = useRef(focus)
  useEffect(() => {
    if (wasActed.current) notice.current?.focus()
  }, [])
  return (
    <Notice
      kind="err"
      className="task__blocked"
      title={t(failureText['phone-change-blocked'])}
      role="alert"
      ref={notice}
      tabIndex={-1}
    >
      <p>
        {t({ pl: 'Możesz to zrobić od ', en: 'You can do it from ' })}
        <time dateTime={until}>{formatDateTime(locale, until)}</time>
        {t({
          pl: '. Dotychczasowy numer działa bez zmian. Pomożemy też przez telefon: ',
          en: '. Your present number works as before. We can also help on the phone: ',
        })}
        <SupportLine />
      </p>
    </Notice>
  )
}

function Begin({ data, state, act }: Props & { act: (calling: () => Promise<unknown>) => Promise<void> }) {
  const t = useText()
  const locale = useLocale()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function begin() {
    setBusy(true)
    setFailure(undefined)
    try {
      await act(() => call(startPhoneChange, { params: { id: data.id } }))
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      if (error.code !== 'cancelled') setFailure(describeFailure(locale, error))
    } finally {
      setBusy(false)
    }
  }

  if (!state.possible)
    return (
      <p className="small muted">
        {t(failureText['document-unknown'])} <SupportLine />
      </p>
    )
  return (
    <>
      <p className="btns">
        <Button variant="primary" busy={busy} aria-haspopup="dialog" onClick={() => void begin()}>
          {t({ pl: 'Zmień numer telefonu', en: 'Change phone number' })}
        </Button>
      </p>
      <p className="small muted">
        {t({
          pl: 'Przygotuj dokument tożsamości, skrzynkę e-mail i\u00a0oba telefony.',
          en: 'Have your identity document, your mailbox and both phones ready.',
        })}
      </p>
      {failure && (
        <Notice kind="err" role="alert">
          {failure}
        </Notice>
      )}
    </>
  )
}
