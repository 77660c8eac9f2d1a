import { useText } from '../app/locale.tsx'
import { ChoiceDialog } from '../ui/confirm-dialog.tsx'

/** Nothing typed is lost without a warning, and a password is never kept (RTE-1). */
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
