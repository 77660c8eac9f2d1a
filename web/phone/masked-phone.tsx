import { useText } from '../app/locale.tsx'
import { MaskedText } from '../ui/hidden-number.tsx'

/** Shows `+48 ••• ••• 417`; screen readers skip the dots and read the last digits. */
export function MaskedPhone({ number }: { number: string }) {
  const t = useText()
  const last = number.replace(/\D/g, '').slice(-3).split('').join(' ')
  return (
    <>
      <MaskedText className="number nowrap">{number}</MaskedText>
      <span className="unseen">{t({ pl: `kończący się na ${last}`, en: `a number ending in ${last}` })}</span>
    </>
  )
}

/** Formats a number as `+48 600 100 417`, with the calling code apart as in `+48 ••• ••• 417`. */
export function groupedPhone(phone: string, masked: string) {
  const [code = ''] = masked.split(' ')
  return [code, ...(phone.slice(code.length).match(/.{1,3}/g) ?? [])].join(' ')
}
