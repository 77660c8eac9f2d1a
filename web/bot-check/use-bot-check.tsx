import { useRef, useState } from 'react'
import type { BotCheckedAction } from '../../contract/bot-check.ts'
import { config } from '../app/config.ts'
import { requireElement } from '../app/element-refs.ts'
import { useText } from '../app/locale.tsx'

/**
 * Returns `prove`, which solves the bot check of one action, and its status. `statusText` says that the check is under way, for the button;
 * `statusArea` is above the button, says the same to screen readers, and is where the check of an external service may ask for something.
 */
export function useBotCheck(action: BotCheckedAction) {
  const t = useText()
  const outside = useRef<HTMLDivElement>(null)
  const [isChecking, setIsChecking] = useState(false)
  const statusText = isChecking
    ? t({ pl: 'Sprawdzamy, czy nie jesteś robotem…', en: 'Checking that you’re not a robot…' })
    : undefined

  async function prove() {
    setIsChecking(true)
    try {
      const { solveBotCheck } = await import('./bot-check.ts')
      return await solveBotCheck(config.botCheck, action, requireElement(outside))
    } finally {
      setIsChecking(false)
    }
  }

  const statusArea = (
    <>
      <p className="unseen" role="status">
        {statusText}
      </p>
      <div ref={outside} hidden={!isChecking || config.botCheck.kind === 'altcha'} />
    </>
  )
  return { prove, statusText, statusArea }
}
