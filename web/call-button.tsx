import { dialled } from '../contract/page-markers.ts'
import { config } from './config.ts'
import { useText } from './locale.tsx'
import { supportHours } from './support-line.tsx'
import { ButtonLink, type ButtonVariant } from './ui/button.tsx'
import './call-button.css'

/** Where a call to the support is what helps: its number as a button, with the hours. */
export function CallButton({ variant }: { variant?: ButtonVariant }) {
  const t = useText()
  const { phone } = config.brand
  return (
    <p className="btns call">
      <ButtonLink variant={variant} size="s" icon="phone" href={`tel:${dialled(phone)}`}>
        <span>
          {t({ pl: 'Zadzwoń: ', en: 'Call ' })}
          <span className="nowrap">{phone}</span>
        </span>
      </ButtonLink>
      <span className="small nowrap">{t(supportHours())}</span>
    </p>
  )
}
