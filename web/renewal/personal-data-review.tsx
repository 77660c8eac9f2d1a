import { returnToPersonalData, type Renewal } from '../../contract/renewal.ts'
import { call } from '../calls/api.ts'
import { useText } from '../app/locale.tsx'
import { Button } from '../ui/button.tsx'
import { FailureNotice } from '../ui/failure.tsx'
import { Notice } from '../ui/notice.tsx'
import { useMoveAction } from './renewal-move.ts'
import { PersonalDataGroups } from './personal-data-groups.tsx'
import './personal-data-step.css'
import { StepButtons } from './step-buttons.tsx'
import { StepHeading } from './step-heading.tsx'

type Props = { renewal: Renewal; onChanged: (renewal: Renewal) => void; onBack: () => void; onForward: () => void }

/** Shown after going back from signing. Only changing the data discards the agreement, not looking at them. */
export function PersonalDataReview({ renewal, onChanged, onBack, onForward }: Props) {
  const t = useText()
  const { uid, state, version } = renewal

  const { run, busy, failureText } = useMoveAction(
    () => call(returnToPersonalData, { params: { uid }, body: { expected: { state, version } } }),
    onChanged,
  )

  return (
    <div className="wiz wiz--wide">
      <div>
        <StepHeading
          step={2}
          title={{ pl: 'Dane osobowe są już potwierdzone', en: 'You’ve already confirmed your personal details' }}
        />
        <Notice className="blk">
          {t({
            pl: 'Jeśli je zmienisz, przygotujemy nową umowę, a\u00a0wysłany kod SMS przestanie działać.',
            en: 'If you change them, we’ll prepare a new agreement, and any code we’ve already sent will stop working.',
          })}
        </Notice>
        <PersonalDataGroups renewal={renewal} />
        <FailureNotice text={failureText} className="blk" />
        <p className="btns blk">
          <Button busy={busy} onClick={run}>
            {t({ pl: 'Zmień dane osobowe', en: 'Change personal details' })}
          </Button>
        </p>
      </div>
      <StepButtons onBack={onBack}>
        <Button variant="primary" onClick={onForward}>
          {t({ pl: 'Dalej: podpisanie umowy', en: 'Next: sign the agreement' })}
        </Button>
      </StepButtons>
    </div>
  )
}
