import { useText } from '../locale.tsx'
import { ChoiceDialog } from '../ui/choice-dialog.tsx'

/** Nothing typed is lost without a warning, and a password is never kept (RTE-1). */
export function LostPasswordDialog(handlers: { onCancel: () => void; onConfirm: () => void }) {
  const t = useText()
  return (
    <ChoiceDialog
      title={t({ pl: 'Czy zmienić język na angielski?', en: 'Do you want to change the language to Polish?' })}
      description={t({
        pl: 'Wpisane hasło zniknie, bo dla bezpieczeństwa nigdzie go nie zapisujemy. Pozostałe wpisy zostaną.',
        en: 'The password you have entered will be gone, because for safety we never store it. Everything else stays.',
      })}
      cancel={t({ pl: 'Anuluj', en: 'Cancel' })}
      confirm={t({ pl: 'Zmień język', en: 'Change the language' })}
      {...handlers}
    />
  )
}
