import type { SealUser } from '../../contract/seal-users.ts'
import type { Seal } from '../../contract/seals.ts'
import { useText } from '../app/locale.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Verbatim } from '../ui/verbatim.tsx'
import { SealDescription } from './seal-name.tsx'

type Props = { seal: Seal; user: SealUser; onConfirm: () => void; onClose: () => void }

/** Names the person and what happens to them, before the code is requested (SEA-5). */
export function RemoveUserDialog({ seal, user, onConfirm, onClose }: Props) {
  const t = useText()
  const name = `${user.firstName} ${user.surname}`
  return (
    <ConfirmDialog
      title={t({ pl: 'Usunąć dostęp do pieczęci?', en: 'Remove access to the seal?' })}
      description={<SealDescription seal={seal} />}
      label={t({ pl: 'Usuń dostęp', en: 'Remove access' })}
      icon="trash"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        <Verbatim>
          <b>{name}</b>, {user.email}
        </Verbatim>
      </p>
      <p>
        {user.status === 'pending'
          ? t({
              pl: 'Zaproszenie i\u00a0jego kody od razu przestaną działać.',
              en: 'The invitation and its codes will stop working immediately.',
            })
          : t({
              pl: 'Ta osoba od razu straci dostęp do pieczęci w\u00a0portalu. Powiadomimy o\u00a0tym wystawcę pieczęci.',
              en: 'This person will lose access to the seal in the portal immediately. We’ll notify the seal’s issuer.',
            })}{' '}
        {t({
          pl: 'Tego nie można cofnąć, ale możesz zaprosić tę osobę ponownie.',
          en: 'This can’t be undone, but you can invite them again.',
        })}
      </p>
    </ConfirmDialog>
  )
}
