import { returnToPersonalData, type Renewal } from '../../contract/renewal.ts'
import { useState } from 'react'
import { call, CallFailed } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { describeFailure } from '../text/failure-text.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { useMove } from './current-state.ts'
import { PersonalDataGroups } from './personal-data-groups.tsx'
import './personal-data-step.css'
import { StepHeading } from './step-heading.tsx'

type Props = {
  renewal: Renewal
  onChanged: (renewal: Renewal) => void
  onBack: () => void
  onForward: () => void
}

/** Come back to from signing. Going on from here costs the agreement, so coming back alone does not. */
export function PersonalDataReview({ renewal, onChanged, onBack, onForward }: Props) {
  const t = useText()
  const locale = useLocale()
  const move = useMove()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<CallFailed>()
  const { uid, state, version } = renewal

  async function reopen() {
    setBusy(true)
    setFailure(undefined)
    try {
      onChanged(
        await move(() => call(returnToPersonalData, { params: { uid }, body: { expected: { state, version } } })),
      )
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error
      if (error.code !== 'cancelled') setFailure(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className="wiz wiz--plain">
      <div>
        <StepHeading step={2}>
          {t({ pl: 'Dane osobowe są już potwierdzone', en: 'Your personal data are already confirmed' })}
        </StepHeading>
        <Notice className="blk">
          {t({
            pl: 'Jeśli je zmienisz, przygotujemy umowę od nowa, a\u00a0wysłany kod SMS straci ważność.',
            en: 'If you change them, we make the agreement anew, and a code that was sent loses its validity.',
          })}
        </Notice>
        <PersonalDataGroups renewal={renewal} />
        {failure && (
          <Notice kind="err" className="blk" role="alert">
            {describeFailure(locale, failure)}
          </Notice>
        )}
        <p className="btns blk">
          <Button busy={busy} onClick={() => void reopen()}>
            {t({ pl: 'Zmień dane osobowe', en: 'Change the personal data' })}
          </Button>
        </p>
      </div>
      <div className="wiz__act">
        <Button variant="quiet" icon="back" onClick={onBack}>
          {t({ pl: 'Wstecz', en: 'Back' })}
        </Button>
        <Button variant="primary" onClick={onForward}>
          {t({ pl: 'Dalej: podpisanie dokumentów', en: 'Next: signing the documents' })}
        </Button>
      </div>
    </div>
  )
}
