import { readSealRecipient, removeSealRecipient } from '../../contract/seal-recipients.ts'
import type { Seal } from '../../contract/seals.ts'
import { call } from '../calls/api.ts'
import { useText } from '../app/locale.tsx'
import { invalidate } from '../calls/reads.ts'
import { toast } from '../toast/toast.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { SealDescription } from './seal-name.tsx'

type Props = { seal: Seal; onClose: () => void; onRemoved: () => void }

/** SEA-19: the second address gets no more reminders. */
export function RemoveRecipientDialog({ seal, onClose, onRemoved }: Props) {
  const t = useText()
  return (
    <ConfirmDialog
      title={t({ pl: 'Usunąć drugi adres?', en: 'Remove the second address?' })}
      description={<SealDescription seal={seal} />}
      label={t({ pl: 'Usuń adres', en: 'Remove address' })}
      icon="trash"
      onConfirm={async () => {
        await call(removeSealRecipient, { params: { id: seal.id } })
        onClose()
        await invalidate(readSealRecipient)
        onRemoved()
        toast({ title: t({ pl: 'Adres usunięty', en: 'Address removed' }) })
      }}
      onClose={onClose}
    >
      <p>
        {t({
          pl: 'Na ten adres nie przyjdzie już żadne przypomnienie. Administratorzy pieczęci nadal będą je dostawać.',
          en: 'This address gets no more reminders. The seal’s administrators will still get them.',
        })}
      </p>
    </ConfirmDialog>
  )
}
