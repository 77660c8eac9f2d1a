import type { ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import { pages } from '../../contract/pages.ts'
import { useText } from '../app/locale.tsx'
import { Button, ButtonLink, type ButtonVariant } from '../ui/button.tsx'

/** The id of the button that completes a step; the next step of the stepper presses it (UIX-3). */
export const nextButton = 'step-next'

type Props = { className?: string; onBack?: () => void; children?: ReactNode }

/** Shows the buttons of a step. In the first step, Back leads to the list of signatures. */
export function StepButtons({ className = 'wizard__act', onBack, children }: Props) {
  const t = useText()
  const back = t({ pl: 'Wstecz', en: 'Back' })
  return (
    <div className={className}>
      {onBack ? (
        <Button variant="quiet" icon="back" onClick={onBack}>
          {back}
        </Button>
      ) : (
        <ButtonLink variant="quiet" icon="back" to={pages.signatures.path}>
          {back}
        </ButtonLink>
      )}
      {children}
    </div>
  )
}

/** Leaves the renewal before its end. */
export function BackToSignatures({ variant }: { variant?: ButtonVariant }) {
  const t = useText()
  return (
    <ButtonLink variant={variant} icon="back" to={pages.signatures.path}>
      {t({ pl: 'Wróć do podpisów', en: 'Back to signatures' })}
    </ButtonLink>
  )
}

/** Leaves the renewal. */
export function SignaturesButton({ variant = 'primary' }: { variant?: ButtonVariant }) {
  const t = useText()
  return (
    <ButtonLink variant={variant} to={pages.signatures.path}>
      {t({ pl: 'Przejdź do podpisów', en: 'Go to signatures' })}
    </ButtonLink>
  )
}

type StepHeadingProps = { step: 1 | 2 | 3 | 4; title: Text; lede?: Text }

/** Shows the heading of a step, which announces the step to screen readers. */
export function StepHeading({ step, title, lede }: StepHeadingProps) {
  const t = useText()
  return (
    <>
      <h1 tabIndex={-1}>
        <span className="unseen">{t({ pl: `Krok ${step} z\u00a04: `, en: `Step ${step} of 4: ` })}</span>
        {t(title)}
      </h1>
      {lede && <p className="lede">{t(lede)}</p>}
    </>
  )
}
