import type { SealUser } from '../../contract/seal-users.ts'
import type { Seal } from '../../contract/seals.ts'
import { useText } from '../locale.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

type Props = { seal: Seal; user: SealUser; onConfirm: () => void; onClose: () => void }

/** SEA-5: names the person and what happens to them, before the code is asked for (ux 8.3). */
export function RemoveUserDialog({ seal, user, onConfirm, onClose }: Props) {
  const t = useText()
  const name = `${user.firstName} ${user.surname}`
  return (
    <Dialog
      role="alertdialog"
      width="s"
      initialFocus="safe"
      title={t({ pl: 'Usunąć dostęp do pieczęci?', en: 'Remove access to the seal?' })}
      description={seal.organisation.name}
      onClose={onClose}
      footer={
        <>
          <Button data-safe onClick={onClose}>
            {t({ pl: 'Anuluj', en: 'Cancel' })}
          </Button>
          <Button variant="danger" icon="trash" onClick={onConfirm}>
            {t({ pl: 'Usuń dostęp', en: 'Remove access' })}
          </Button>
        </>
      }
    >
      <p>
        <b>{name}</b>, {user.email}
      </p>
      <p>
        {user.status === 'pending'
          ? t({
              pl: 'Zaproszenie i\u00a0jego kody od razu przestaną działać.',
              en: 'The invitation and its codes stop working at once.',
            })
          : t({
              pl: 'Ta osoba od razu straci dostęp, a\u00a0jej aplikacja zostanie odłączona.',
              en: 'This person loses access at once, and their app is disconnected.',
            })}{' '}
        {t({
          pl: 'Tego nie można cofnąć, ale możesz zaprosić ją od nowa.',
          en: 'This cannot be undone, but you can invite them anew.',
        })}
      </p>
    </Dialog>
  )
}
