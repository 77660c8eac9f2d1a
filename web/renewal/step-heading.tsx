import type { Text } from '../../contract/enums.ts'
import { useText } from '../app/locale.tsx'

type Props = { step: 1 | 2 | 3 | 4; title: Text; lede?: Text }

/** The heading of a step, which announces the step to screen readers (ux.md §8.6). */
export function StepHeading({ step, title, lede }: Props) {
  const t = useText()
  return (
    <>
      <h1 tabIndex={-1}>
        <span className="vh">{t({ pl: `Krok ${step} z\u00a04: `, en: `Step ${step} of 4: ` })}</span>
        {t(title)}
      </h1>
      {lede && <p className="lede">{t(lede)}</p>}
    </>
  )
}
