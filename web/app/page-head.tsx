import type { ReactNode } from 'react'
import type { Text } from '../../contract/enums.ts'
import { useText } from './locale.tsx'
import { usePage } from './page-title.ts'

type Props = { title: Text; lede?: Text }

/** Shows the title of a page, which the document gets too, the purpose of the page, and next to them `action`, which leads elsewhere. */
export function PageHead({ action, ...props }: Props & { action?: ReactNode }) {
  usePage(props)
  return (
    <div className="page__head">
      <div>
        <Heading {...props} />
      </div>
      {action}
    </div>
  )
}

export function Greeting({ customer }: { customer: { firstName: string; surname: string } }) {
  const t = useText()
  return (
    <h1>
      {t({ pl: 'Dzień dobry, ', en: 'Hello, ' })}
      <span className="greeting__name" translate="no">
        {customer.firstName} {customer.surname}
      </span>
    </h1>
  )
}

export function Heading({ title, lede }: Props) {
  const t = useText()
  return (
    <>
      <h1>{t(title)}</h1>
      {lede && <p className="lede">{t(lede)}</p>}
    </>
  )
}
