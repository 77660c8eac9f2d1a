import type { ReactNode } from 'react'
import { dialled } from '../../contract/page-config.ts'
import { config } from './config.ts'
import { useText } from './locale.tsx'

/** Shows the support's number and hours, the same everywhere (WCAG 3.2.6). */
export function SupportLine() {
  const t = useText()
  return (
    <>
      <SupportPhone />
      {', '}
      <span className="nowrap">{t(supportHours())}</span>
    </>
  )
}

/** The name of the FAQ page, in the menu, as its heading and in links to it. */
export const faqTitle = { pl: 'Pytania i\u00a0odpowiedzi', en: 'FAQ' }

/** Shows a paragraph that says who helps. */
export function HelpLine({ className, children }: { className?: string; children?: ReactNode }) {
  const t = useText()
  return (
    <p className={className}>
      {t({ pl: 'Pomoc: ', en: 'Help: ' })}
      <SupportLine />
      {children}
    </p>
  )
}

export function SupportPhone() {
  const { phone } = config.brand
  return (
    <a href={`tel:${dialled(phone)}`} className="nowrap">
      {phone}
    </a>
  )
}

export function supportHours() {
  const { from, to } = config.brand.hours
  return { pl: `pon.–pt. ${from}–${to}`, en: `Mon–Fri ${from}–${to}` }
}
