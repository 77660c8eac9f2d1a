import { useText } from '../locale.tsx'
import { isReachable, stepState } from './stepper-rules.ts'

type Props = {
  label: string
  steps: readonly string[]
  /** From 1. */
  current: number
  linear?: boolean
  /** Steps that are reachable and done lead back when the owner says how. */
  onGo?: (step: number) => void
}

/** Where one is in a task of several steps; on a phone one line and a bar (ux 5.9). */
export function Stepper({ label, steps, current, linear = true, onGo }: Props) {
  const t = useText()
  const words = t({ pl: `Krok ${current} z\u00a0${steps.length}`, en: `Step ${current} of ${steps.length}` })
  return (
    <nav aria-label={label}>
      <ol className="steps">
        {steps.map((name, i) => {
          const step = i + 1
          const state = stepState(step, current)
          const leads =
            onGo && state !== 'active' && isReachable(step, current, linear) && (state === 'completed' || !linear)
          return (
            <li
              key={name}
              className={state === 'completed' ? 'done' : undefined}
              data-state={state}
              aria-current={state === 'active' ? 'step' : undefined}
            >
              {state === 'completed' && <span className="vh">{t({ pl: 'Ukończono: ', en: 'Completed: ' })}</span>}
              {leads ? (
                <button type="button" className="steps__go" onClick={() => onGo(step)}>
                  {name}
                </button>
              ) : (
                <span>{name}</span>
              )}
            </li>
          )
        })}
      </ol>
      <div className="stepline">
        <p>
          <b>{words}</b>
          <span aria-hidden="true">·</span>
          <span>{steps[current - 1]}</span>
        </p>
        <progress className="meter" max={steps.length} value={current} aria-label={words} />
      </div>
    </nav>
  )
}
