import { useText } from '../app/locale.tsx'
import { ChoiceDialog } from '../ui/confirm-dialog.tsx'

/** Warns that a typed password will be lost, because a password is never kept, and nothing typed is lost without a warning (RTE-1). */
export function LostPasswordDialog(handlers: { onCancel: () => void; onConfirm: () => void }) {
  const t = useText()
  return (
    <ChoiceDialog
      title={t({ pl: 'Zmienić język na angielski?', en: 'Change the language to Polish?' })}
      description={t({
        pl: 'Hasło trzeba będzie wpisać ponownie, bo dla bezpieczeństwa nigdzie go nie zapisujemy. Pozostałe dane zostaną.',
        en: 'You’ll have to enter your password again, because we never store it. Everything else stays.',
      })}
      cancel={t({ pl: 'Anuluj', en: 'Cancel' })}
      confirm={t({ pl: 'Zmień język', en: 'Change language' })}
      {...handlers}
    />
  )
}
