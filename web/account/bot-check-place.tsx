import { useRef, useState } from 'react'
import type { BotCheckedAction } from '../../contract/meta.ts'
import { config } from '../config.ts'
import { useText } from '../locale.tsx'
import './account.css'

/** `prove` answers the bot check of one action; `place` stands above the form's button and says that the check is under way. */
export function useBotCheck(action: BotCheckedAction) {
  const t = useText()
  const outside = useRef<HTMLDivElement>(null)
  const [checking, setChecking] = useState(false)

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
    <div className="botcheck">
      <p role="status" className="small soft">
        {checking && t({ pl: 'Sprawdzamy, że nie jesteś robotem…', en: 'Checking that you are not a robot…' })}
      </p>
      <div ref={outside} />
    </div>
  )
  return { prove, place }
}
