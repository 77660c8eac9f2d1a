import { startTransition, useEffect, useState } from 'react'
import { config } from './config.ts'
import { useHydrated } from './hydrated.tsx'
import { useText } from './locale.tsx'
import { useCurrentSession } from './session.tsx'
import { longestAnswer, nextAnswer } from './text/next-answer.ts'

/** When the support next answers; undefined while it does, and in a page for everyone, which may be read at any time. */
function useNextAnswer() {
  const hydrated = useHydrated()
  const current = useCurrentSession()
  const [isForEveryone] = useState(!hydrated && !current)
  const [at, setAt] = useState(() => (hydrated && !import.meta.env.SSR ? Date.now() : undefined))
  useEffect(() => {
    const follow = () => startTransition(() => setAt(Date.now()))
    follow()
    const timer = setInterval(follow, 60_000)
    return () => clearInterval(timer)
  }, [])
  // A signed-in page is rendered with the server's time, whatever the clock of the device says.
  const now = current ? Date.parse(current.session.now) + (at === undefined ? 0 : at - current.receivedAt) : at
  return { isForEveryone, next: now === undefined ? undefined : nextAnswer(config.brand.hours, now) }
}

/** A sentence for a place of its own, which a page for everyone keeps free, so that nothing moves when the time is known. */
export function ClosedNow() {
  const t = useText()
  const { isForEveryone, next } = useNextAnswer()
  const shown = next ?? (isForEveryone ? longestAnswer(config.brand.hours) : undefined)
  if (!shown) return null
  return (
    <span className={next ? 'small' : 'small waiting'}>
      {t({ pl: `Teraz nieczynne. Odbieramy ${shown.pl}`, en: `Closed now. We answer ${shown.en}` })}
    </span>
  )
}
