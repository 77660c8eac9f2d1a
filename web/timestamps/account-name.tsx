import { useText } from '../app/locale.tsx'
import { Verbatim } from '../ui/verbatim.tsx'

/** Which timestamp account a dialog is about. */
export function AccountName({ login }: { login: string }) {
  const t = useText()
  return (
    <>
      {t({ pl: 'Konto ', en: 'Account ' })}
      <Verbatim className="tsa__login">{login}</Verbatim>
    </>
  )
}
