import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { listOpenRenewals, readRenewal, renewalStep, type Renewal } from '../../contract/renewal.ts'
import { listSignatures, summariseSignatures } from '../../contract/signatures.ts'
import { useText } from '../app/locale.tsx'
import { focusHeading, usePage } from '../app/page-title.ts'
import { useParams } from '../app/route.ts'
import { HelpLine } from '../app/support-line.tsx'
import { hasFailedWith } from '../calls/api.ts'
import { invalidate, setCached, refetch, useRead } from '../calls/reads.ts'
import { useAskBeforeLeaving } from '../layouts/leave-message.ts'
import { formatDate } from '../text/format.ts'
import { Notice } from '../ui/notice.tsx'
import { Region } from '../ui/region.tsx'
import { Stepper } from '../ui/stepper.tsx'
import { EndedRenewal } from './ended-renewal.tsx'
import { IssuanceStep } from './issuance-step.tsx'
import { ParametersReview } from './parameters-review.tsx'
import { ParametersStep } from './parameters-step.tsx'
import { PersonalDataReview } from './personal-data-groups.tsx'
import { canConfirm, PersonalDataStep } from './personal-data-step.tsx'
import { CatchUp, type ConflictResult } from './renewal-move.ts'
import { SigningStep } from './signing-step.tsx'
import './renewal.css'
import { nextButton, SignaturesButton } from './step-buttons.tsx'

const heading = { pl: 'Odnowienie podpisu', en: 'Signature renewal' }

/** Shows a renewal as stored on the server, independent of the tab, browser or session in which it was begun (REN-1). */
export function RenewalScreen() {
  const t = useText()
  const { uid = '' } = useParams()
  const query = useRead(readRenewal, { params: { uid } })
  const [open, setOpen] = useState(!!query.data)
  // An address without a renewal may be any text; the server calls it an invalid input, which is not the customer's view.
  const isUnknown = hasFailedWith(query.error, 'not-found', 'invalid-input')
  if (isUnknown && !query.data) return <UnknownRenewal />
  return (
    <>
      {!open && <UnknownYet />}
      <Region query={query} label={t({ pl: 'Wczytujemy odnowienie', en: 'Loading the renewal' })}>
        {(renewal) => <Wizard key={uid} renewal={renewal} onShown={setOpen} />}
      </Region>
    </>
  )
}

/** Shows the page's heading before the step is known, and where it cannot be read. */
function UnknownYet() {
  const t = useText()
  usePage({ title: heading })
  return <h1 className="wizard__wait">{t(heading)}</h1>
}

/** Shows another customer's renewal, a nonexistent one and a deleted one in the same way (R61). */
function UnknownRenewal() {
  const t = useText()
  usePage({ title: heading })
  return (
    <div className="narrow">
      <h1>{t({ pl: 'Nie ma takiego odnowienia', en: 'This renewal doesn’t exist' })}</h1>
      <p className="soft section">
        {t({
          pl: 'Adres może być niepełny albo odnowienie należy do innego konta. Swoje odnowienia znajdziesz na liście podpisów.',
          en: 'The address may be incomplete, or the renewal belongs to another account. You’ll find your renewals in the list of signatures.',
        })}
      </p>
      <HelpLine className="section" />
      <div className="buttons section">
        <SignaturesButton />
      </div>
    </div>
  )
}

const stepNames = {
  pl: ['Ustawienia certyfikatu', 'Dane osobowe', 'Podpisanie umowy', 'Wydanie i\u00a0kod QR'],
  en: ['Certificate options', 'Personal details', 'Signing', 'Issuing and QR code'],
}

function Wizard({ renewal, onShown }: { renewal: Renewal; onShown: (isShown: boolean) => void }) {
  useLayoutEffect(() => onShown(true), [onShown])
  const t = useText()
  const { uid, state } = renewal
  const own = renewalStep[state]
  const { shown, go } = useShownStep(renewal)
  const [hasErrors, setHasErrors] = useState(false)
  const { round, isNotified, catchUp } = useConflicts(renewal)
  useFocusKept(renewal)
  useFreshLists(state)
  usePage({
    title: shown
      ? { pl: `Odnowienie podpisu, krok ${shown} z\u00a04`, en: `Signature renewal, step ${shown} of 4` }
      : heading,
  })
  const until = formatDate(t.locale, renewal.endsAt)
  useAskBeforeLeaving(
    (own === 1 && renewal.version > 1) || own === 2 || own === 3
      ? t({
          pl: `Wpisane dane zachowamy do ${until}. Odnowienie dokończysz z\u00a0listy podpisów.`,
          en: `We’ll keep your answers until ${until}. You can finish the renewal from the list of signatures.`,
        })
      : undefined,
  )
  const props = { renewal, onChanged: (next: Renewal) => void setCached(readRenewal, { params: { uid } }, next) }
  const content = () => {
    if (shown === null) return <EndedRenewal {...props} />
    if (shown !== own)
      return shown === 1 ? (
        <ParametersReview renewal={renewal} onForward={() => go(2)} />
      ) : (
        <PersonalDataReview {...props} onBack={() => go(1)} onForward={() => go(3)} />
      )
    if (shown === 1) return <ParametersStep key={round} {...props} onErrors={setHasErrors} />
    if (shown === 2) return <PersonalDataStep {...props} onErrors={setHasErrors} />
    return shown === 3 ? <SigningStep {...props} /> : <IssuanceStep {...props} />
  }
  return (
    <CatchUp value={catchUp}>
      {shown && (
        <Stepper
          label={t({ pl: 'Postęp odnowienia', en: 'Renewal progress' })}
          steps={stepNames[t.locale]}
          current={shown}
          reached={own ?? undefined}
          next={shown === own && hasNext(renewal) && !hasErrors ? nextButton : undefined}
          {...(canReview(renewal) && { onGo: go })}
        />
      )}
      {isNotified && <MovedOnNotice />}
      {content()}
    </CatchUp>
  )
}

type Conflict = { times: number; state: Renewal['state']; version: number }

/**
 * Reads the current state after a call that came too late, and shows it with a notice until the next step; `round` counts how often, so
 * that entries for another state are dropped.
 */
function useConflicts({ uid, state, version }: Renewal) {
  const [conflict, setConflict] = useState<Conflict>()
  const catchUp = useCallback(async (): Promise<ConflictResult> => {
    const read = () => refetch(readRenewal, { params: { uid } })
    const first = await read()
    // A read that was under way already may have begun before the change.
    const now = first?.version === version ? await read() : first
    if (!now) return 'unread'
    setConflict((before) => ({ state: now.state, version: now.version, times: (before?.times ?? 0) + 1 }))
    return now.state === state ? 'same-state' : 'other-state'
  }, [uid, state, version])
  const hasCaughtUp = !!conflict && conflict.version <= version
  const round = conflict ? conflict.times - (hasCaughtUp ? 0 : 1) : 0
  useEffect(() => {
    // The element with the focus may be gone with the previous round; the notice is at the top.
    if (!round || document.activeElement !== document.body) return
    focusHeading()
    window.scrollTo(0, 0)
  }, [round])
  return { round, isNotified: hasCaughtUp && conflict.state === state, catchUp }
}

/** Invalidates the data of Home and the list of signatures when the state changes, because they show it. */
function useFreshLists(state: Renewal['state']) {
  const before = useRef(state)
  useEffect(() => {
    if (before.current !== state) void invalidate(listOpenRenewals, listSignatures, summariseSignatures)
    before.current = state
  }, [state])
}

/** Moves the focus to the heading if the button that had it has disappeared. */
function useFocusKept({ stops, identityCheck, shortenedTo }: Renewal) {
  const current = `${stops.join(' ')} ${identityCheck?.state} ${shortenedTo}`
  const before = useRef(current)
  useEffect(() => {
    if (before.current !== current && document.activeElement === document.body) focusHeading()
    before.current = current
  }, [current])
}

/** Checks whether the stepper leads to the next step: not from the first one before a choice is saved, because leaving it is final. */
const hasNext = (renewal: Renewal) =>
  (renewal.state === 'parameters' && !renewal.stops.length && renewal.isSaved) ||
  (renewal.state === 'personal-data' && canConfirm(renewal))

/** Checks whether the customer can go back to an earlier step; after signing there is nothing to go back to. */
const canReview = ({ state }: Renewal) => state === 'personal-data' || state === 'signing'

/**
 * Keeps the step in the address, so that the browser's Back is a step back; never a step beyond the renewal's own. Each step
 * that is reached gets an entry in the history.
 */
function useShownStep(renewal: Renewal) {
  const own = renewalStep[renewal.state]
  const navigate = useNavigate()
  const { search, key } = useLocation()
  const wanted = Number(new URLSearchParams(search).get('step'))
  const [reached, setReached] = useState<{ step: number | null; at?: string }>()
  // Until the address has followed, the step is the renewal's own.
  const isMoving = !!reached && (reached.step !== own || reached.at === key)
  const isEarlier = !isMoving && own && wanted >= 1 && wanted < own && canReview(renewal)
  const shown = isEarlier ? (wanted === 1 ? 1 : 2) : own
  const go = (step: number) => void navigate(`?step=${step}`)

  // A Back pressed before the next entry was rendered leads to the same key again, so only the event tells that the address is final.
  useEffect(() => {
    if (!isMoving) return
    const settle = () => setReached({ step: own })
    addEventListener('popstate', settle)
    return () => removeEventListener('popstate', settle)
  }, [isMoving, own])

  useEffect(() => {
    if (reached?.step === own) {
      if (reached.at && reached.at !== key) setReached({ step: own })
      return
    }
    setReached(reached ? { step: own, at: key } : { step: own })
    if (reached && own) void navigate(`?step=${own}`, { replace: own === 4 })
    // The first entry gets a step of its own, or it would look like the next one after Back.
    else if (own && !wanted) void navigate(`?step=${own}`, { replace: true })
  }, [reached, own, wanted, key, navigate])
  return { shown, go }
}

function MovedOnNotice() {
  const t = useText()
  return (
    <Notice
      className="section"
      role="status"
      title={t({
        pl: 'Odnowienie zmieniło się w\u00a0innej karcie lub na innym urządzeniu.',
        en: 'The renewal was changed in another tab or on another device.',
      })}
    >
      {t({ pl: 'To jego obecny stan.', en: 'This is its current state.' })}
    </Notice>
  )
}
