import './stepper.css'
import { useText } from '../app/locale.tsx'

type Props = {
  label: string
  steps: readonly string[]
  /** Current step, counted from 1. */
  current: number
  /** Shows a step that is open: completed ones, and those up to `reached`. */
  onGo?: (step: number) => void
  /** The furthest step of the task; beyond it nothing is open. */
  reached?: number | undefined
  /** The id of the button that leads to the step after the current one; that step then does what the button does. */
  next?: string | undefined
}

type StepState = 'completed' | 'active' | 'inactive'

/** Returns the state of a step; steps count from 1. */
export const stepState = (step: number, current: number): StepState =>
  step < current ? 'completed' : step === current ? 'active' : 'inactive'

/** Checks that a step is not beyond the one after the current one (UIX-3). */
export const isReachable = (step: number, current: number) => step <= current + 1

/** Shows the progress in a task of several steps; on a phone, one line and a bar (UIX-3). */
export function Stepper({ label, steps, current, onGo, reached = current, next }: Props) {
  const t = useText()
  const progressText = t({ pl: `Krok ${current} z\u00a0${steps.length}`, en: `Step ${current} of ${steps.length}` })
  return (
    <nav aria-label={label}>
      <ol className="stepper">
        {steps.map((name, i) => {
          const step = i + 1
          const state = stepState(step, current)
          const isOpen = onGo && (step < current || step <= reached)
          const press = isOpen ? () => onGo(step) : step === current + 1 && next ? () => pressButton(next) : undefined
          const leads = press && state !== 'active' && isReachable(step, current)
          return (
            <li
              key={name}
              className={state === 'completed' ? 'is-done' : undefined}
              data-state={state}
              aria-current={state === 'active' ? 'step' : undefined}
            >
              {state === 'completed' && <span className="unseen">{t({ pl: 'Ukończono: ', en: 'Completed: ' })}</span>}
              {leads ? (
                <button type="button" className="stepper__go" onClick={press}>
                  {step === current + 1 && <span className="unseen">{t({ pl: 'Dalej: ', en: 'Next: ' })}</span>}
                  {name}
                </button>
              ) : (
                <span>{name}</span>
              )}
            </li>
          )
        })}
      </ol>
      <div className="stepper-line">
        <p>
          <b>{progressText}</b>
          <span aria-hidden="true">·</span>
          <span>{steps[current - 1]}</span>
        </p>
        <progress className="meter" max={steps.length} value={current} aria-label={progressText} />
      </div>
    </nav>
  )
}

/** Presses the button itself, because it may be busy, or its form incomplete. */
const pressButton = (id: string) => document.getElementById(id)?.click()
