import { useEffect, useEffectEvent, useState } from 'react'
import { useText } from '../locale.tsx'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

/** Looks every 5 s, twelve times, whether the agreements have been made (defaults.md); then it is asked for by hand. */
const every = 5_000
const times = 12

export function AgreementWatch({ waiting, words, look }: { waiting: boolean; words: string; look: () => unknown }) {
  const t = useText()
  const [looks, setLooks] = useState(0)
  const lookNow = useEffectEvent(look)

  useEffect(() => {
    if (!waiting || looks >= times) return
    const timer = setTimeout(() => {
      setLooks(looks + 1)
      lookNow()
    }, every)
    return () => clearTimeout(timer)
  }, [waiting, looks])

  if (!waiting || looks < times) return null
  return (
    <Notice
      className="cert__watch"
      title={t({ pl: 'Umowa jeszcze powstaje', en: 'The agreement is still being made' })}
    >
      <p>{words}</p>
      <Button size="s" icon="refresh" onClick={() => setLooks(0)}>
        {t({ pl: 'Sprawdź ponownie', en: 'Check again' })}
      </Button>
    </Notice>
  )
}
