import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { pages } from '../../contract/pages.ts'
import { listOpenRenewals, readRenewal, renewalStep, type Renewal } from '../../contract/renewal.ts'
import { listSignatures, summariseSignatures } from '../../contract/signatures.ts'
import { CallFailed } from '../api.ts'
import { useAskBeforeLeaving } from '../layouts/leaving.ts'
import { useLocale, useText } from '../locale.tsx'
import { focusHeading, usePage } from '../page-title.ts'
import { forget, learn, readAgain, useRead } from '../reads.ts'
import { useParams } from '../route.ts'
import { formatDate } from '../text/format.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Region } from '../ui/region.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { Stepper } from '../ui/stepper.tsx'
import { SupportLine } from '../ui/support-line.tsx'
import { MovedOn } from './current-state.ts'
import { EndedRenewal } from './ended-renewal.tsx'
import { IssuanceStep } from './issuance-step.tsx'
import { ParametersReview } from './parameters-review.tsx'
import { ParametersStep } from './parameters-step.tsx'
import { PersonalDataReview } from './personal-data-review.tsx'
import { PersonalDataStep } from './personal-data-step.tsx'
import { SigningStep } from './signing-step.tsx'
import './renewal.css'

const heading = { pl: 'Odnowienie podpisu', en: 'Signature renewal' }

/** REN-1: a renewal as it stands on the server, whichever tab, browser or sign-in it was begun in. */
export function RenewalScreen() {
  const t = useText()
  const { uid = '' } = useParams()
  const [open, setOpen] = useState(false)
  const query = useRead(readRenewal, { params: { uid } })
  // An address that names no renewal may be any text; the server calls it a wrong input, the customer would not.
  const unknown = query.error instanceof CallFailed && ['not-found', 'invalid-input'].includes(query.error.code)
  if (unknown && !query.data) return <UnknownRenewal />
  return (
    <>
      {!open && <UnknownYet />}
      <Region
        query={query}
        skeleton={<Skeleton />}
        label={t({ pl: 'Wczytujemy odnowienie', en: 'Loading the renewal' })}
      >
        {(renewal) => <Wizard key={uid} renewal={renewal} onShown={setOpen} />}
      </Region>
    </>
  )
}

/** Until its step is known, and where it cannot be read, the page has a heading all the same. */
function UnknownYet() {
  const t = useText()
  usePage({ title: heading })
  return <h1 className="wiz__wait">{t(heading)}</h1>
}

/** R61: somebody else's renewal, one that never was, and one that is kept no longer are the same to whoever asks. */
function UnknownRenewal() {
  const t = useText()
  usePage({ title: heading })
  return (
    <div className="narrow">
      <h1>{t({ pl: 'Nie ma takiego odnowienia', en: 'There is no such renewal' })}</h1>
      <p className="soft sec">
        {t({
          pl: 'Adres może być niepełny albo odnowienie należy do innego konta. Swoje odnowienia znajdziesz na liście podpisów.',
          en: 'The address may be incomplete, or the renewal belongs to another account. You find your renewals in the list of signatures.',
        })}
      </p>
      <p className="sec">
        {t({ pl: 'Pomoc: ', en: 'Help: ' })}
        <SupportLine />
      </p>
      <div className="btns sec">
        <ButtonLink variant="primary" to={pages.signatures.path}>
          {t({ pl: 'Przejdź do podpisów', en: 'Go to the signatures' })}
        </ButtonLink>
      </div>
    </div>
  )
}

const stepNames = {
  pl: ['Parametry certyfikatu', 'Dane osobowe', 'Podpisanie dokumentów', 'Wydanie i\u00a0kod QR'],
  en: ['Certificate parameters', 'Personal data', 'Signing the documents', 'Issuing and QR code'],
}

function Wizard({ renewal, onShown }: { renewal: Renewal; onShown: (shown: boolean) => void }) {
  useLayoutEffect(() => onShown(true), [onShown])
  const t = useText()
  const locale = useLocale()
  const { uid, state } = renewal
  const own = renewalStep[state]
  const { shown, go } = useShownStep(renewal)
  const { round, told, movedOn } = useConflicts(renewal)
  useFocusKept(renewal)
  useToldOthers(state)
  usePage({
    title: shown
      ? { pl: `Odnowienie podpisu, krok ${shown} z\u00a04`, en: `Signature renewal, step ${shown} of 4` }
      : heading,
  })
  const until = formatDate(locale, renewal.endsAt)
  useAskBeforeLeaving(
    (own === 1 && renewal.version > 1) || own === 2 || own === 3
      ? t({
          pl: `To, co jest już wpisane, zachowamy do ${until}. Dokończysz odnowienie z\u00a0listy podpisów.`,
          en: `We keep what has been entered until ${until}. You can finish the renewal from the list of signatures.`,
        })
      : undefined,
  )
  const props = { renewal, onChanged: (next: Renewal) => void learn(readRenewal, { params: { uid } }, next) }
  return (
    <MovedOn value={movedOn}>
      {shown && (
        <Stepper
          label={t({ pl: 'Postęp odnowienia', en: 'Progress of the renewal' })}
          steps={stepNames[locale]}
          current={shown}
          {...(canReview(renewal) && { onGo: go })}
        />
      )}
      {told && <MovedOnNotice />}
      {shown === null ? (
        <EndedRenewal {...props} />
      ) : shown !== own ? (
        shown === 1 ? (
          <ParametersReview renewal={renewal} onForward={() => go(2)} />
        ) : (
          <PersonalDataReview {...props} onBack={() => go(1)} onForward={() => go(3)} />
        )
      ) : shown === 1 ? (
        <ParametersStep key={round} {...props} />
      ) : shown === 2 ? (
        <PersonalDataStep {...props} />
      ) : shown === 3 ? (
        <SigningStep {...props} />
      ) : (
        <IssuanceStep {...props} />
      )}
    </MovedOn>
  )
}

type Conflict = { times: number; state: Renewal['state']; version: number }

/**
 * When a call came too late, the state that was first is read, shown and told until the next step; `round` counts how
 * often, so that what was entered for another state does not stay.
 */
function useConflicts({ uid, state, version }: Renewal) {
  const [conflict, setConflict] = useState<Conflict>()
  const movedOn = useCallback(async () => {
    const now = await readAgain(readRenewal, { params: { uid } })
    if (now) setConflict((before) => ({ state: now.state, version: now.version, times: (before?.times ?? 0) + 1 }))
  }, [uid])
  const caughtUp = !!conflict && conflict.version <= version
  const round = conflict ? conflict.times - (caughtUp ? 0 : 1) : 0
  useEffect(() => {
    // What had the focus is gone with the round before.
    if (round) focusHeading()
  }, [round])
  return { round, told: caughtUp && conflict.state === state, movedOn }
}

/** What home and the list of signatures say of it goes by its state. */
function useToldOthers(state: Renewal['state']) {
  const before = useRef(state)
  useEffect(() => {
    if (before.current !== state) void forget(listOpenRenewals, listSignatures, summariseSignatures)
    before.current = state
  }, [state])
}

/** The button that had the focus may be gone with what it was pressed for. */
function useFocusKept({ stops, identityCheck, shortenedTo }: Renewal) {
  const stands = `${stops.join(' ')} ${identityCheck?.state} ${shortenedTo}`
  const before = useRef(stands)
  useEffect(() => {
    if (before.current !== stands && document.activeElement === document.body) focusHeading()
    before.current = stands
  }, [stands])
}

/** Once it is signed there is nothing to go back to. */
const canReview = ({ state }: Renewal) => state === 'personal-data' || state === 'signing'

/**
 * The step in the address, so that the browser's Back is a step back (ux.md §8.6); never one beyond the renewal's own.
 * Each step that is reached gets its place in the history.
 */
function useShownStep(renewal: Renewal) {
  const own = renewalStep[renewal.state]
  const navigate = useNavigate()
  const { search, key } = useLocation()
  const wanted = Number(new URLSearchParams(search).get('step'))
  const [reached, setReached] = useState<{ step: number | null; at?: string }>()
  // Until the address has followed, the step is the renewal's own.
  const moving = !!reached && (reached.step !== own || reached.at === key)
  const earlier = !moving && own && wanted >= 1 && wanted < own && canReview(renewal)
  const shown = earlier ? (wanted as 1 | 2) : own
  const go = useCallback((step: number) => void navigate(`?step=${step}`), [navigate])

  useEffect(() => {
    if (reached?.step === own) {
      if (reached.at && reached.at !== key) setReached({ step: own })
      return
    }
    setReached(reached ? { step: own, at: key } : { step: own })
    if (reached && own) void navigate(`?step=${own}`, { replace: own === 4 })
    // Where the visit begins has a step of its own, or it would look like the next one when it is come back to.
    else if (own && !wanted) void navigate(`?step=${own}`, { replace: true })
  }, [reached, own, wanted, key, navigate])
  return { shown, go }
}

function MovedOnNotice() {
  const t = useText()
  return (
    <Notice
      className="sec"
      role="status"
      title={t({
        pl: 'Odnowienie zmieniło się w\u00a0innej karcie lub na innym urządzeniu.',
        en: 'The renewal was changed in another tab or on another device.',
      })}
    >
      {t({ pl: 'Pokazujemy jego obecny stan.', en: 'This is its current state.' })}
    </Notice>
  )
}
