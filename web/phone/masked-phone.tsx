import { useText } from '../locale.tsx'

/** `+48 ••• ••• 417`: the dots say nothing aloud, the last digits do. */
export function MaskedPhone({ number }: { number: string }) {
  const t = useText()
  const last = number.replace(/\D/g, '').slice(-3).split('').join(' ')
  return (
    <>
      <span className="num nowrap" aria-hidden="true">
        {number}
      </span>
      <span className="vh">{t({ pl: `kończący się na ${last}`, en: `a number ending in ${last}` })}</span>
    </>
  )
}
