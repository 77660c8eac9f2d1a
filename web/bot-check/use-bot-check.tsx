import { useRef, useState } from 'react'
import type { BotCheckedAction } from '../../contract/meta.ts'
import { config } from '../config.ts'
import { useText } from '../locale.tsx'

/**
 * `prove` answers the bot check of one action. `words` say that it is under way, for the button; `place` stands above the
 * button, says the same to screen readers, and is where the check of an outside service may ask for something.
 */
export function useBotCheck(action: BotCheckedAction) {
  const t = useText()
  const outside = useRef<HTMLDivElement>(null)
  const [checking, setChecking] = useState(false)
  const words = checking
    ? t({ pl: 'Sprawdzamy, że nie jesteś robotem…', en: 'Checking that you are not a robot…' })
    : undefined

  async function prove() {
    setChecking(true)
    try {
      const { solveBotCheck } = await import('./bot-check.ts')
      return await solveBotCheck(config.botCheck, action, outside.current!)
    } finally {
      setChecking(false)
    }
  }

  const place = (
    <>
      <p className="vh" role="status">
        {words}
      </p>
      <div ref={outside} hidden={!checking || config.botCheck.kind === 'altcha'} />
    </>
  )
  return { prove, words, place }
}
