import type { ReactNode } from 'react'
import { dialled } from '../contract/dialled.ts'
import { ClosedNow } from './closed-now.tsx'
import { config } from './config.ts'
import { useText } from './locale.tsx'
import { supportHours } from './support-line.tsx'
import { ButtonLink, type ButtonVariant } from './ui/button.tsx'
import { Verbatim } from './ui/verbatim.tsx'
import './call-button.css'

type Props = {
  variant?: ButtonVariant | undefined
  isLarge?: boolean
  /** Shows the number or the address alone, in a narrow column; its name says the rest. */
  isShort?: boolean
  /** After the number, such as what the call is about, for screen readers. */
  children?: ReactNode
}

/** Where a call to the support is what helps: its number as a button, with the hours. */
export function CallButton({ variant, isLarge = false, isShort = false, children }: Props) {
  const t = useText()
  const { phone } = config.brand
  return (
    <p className="btns call">
      <ButtonLink variant={variant} size={isLarge ? undefined : 's'} icon="phone" href={`tel:${dialled(phone)}`}>
        <span>
          <span className={isShort ? 'vh' : undefined}>{t({ pl: 'Zadzwoń: ', en: 'Call ' })}</span>
          <span className="nowrap">{phone}</span>
          {children}
        </span>
      </ButtonLink>
      <span className="small nowrap">{t(supportHours())}</span>
      <ClosedNow />
    </p>
  )
}

/** Every way to reach the support, in one order everywhere: the number, its hours, the address. */
export function Contacts({ isShort = false }: Pick<Props, 'isShort'>) {
  const t = useText()
  const { email } = config.brand
  return (
    <div className="contacts">
      <CallButton />
      <p className="btns">
        <ButtonLink size="s" icon="mail" href={`mailto:${email}`}>
          <span>
            <span className={isShort ? 'vh' : undefined}>{t({ pl: 'Napisz: ', en: 'Write to ' })}</span>
            <Verbatim>{email}</Verbatim>
          </span>
        </ButtonLink>
      </p>
    </div>
  )
}
