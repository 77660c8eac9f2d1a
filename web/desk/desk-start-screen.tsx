import type { DeskSession } from '../../contract/desk/desk-session.ts'
import { useText } from '../locale.tsx'
import { PageHead } from '../page-head.tsx'
import { roleText } from './role-text.ts'

export function DeskStart({ session: { name, roles } }: { session: DeskSession }) {
  const t = useText()
  return (
    <>
      <PageHead title={{ pl: 'Konsola obsługi', en: 'Support desk' }} />
      <p>
        {t({ pl: 'Pracujesz jako ', en: 'You’re working as ' })}
        <b translate="no">{name}</b>
        {t({ pl: ', role: ', en: ', roles: ' })}
        {roles.map((role) => t(roleText[role])).join(', ')}.
      </p>
    </>
  )
}
