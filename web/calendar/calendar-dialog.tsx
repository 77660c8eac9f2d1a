import { useText } from '../app/locale.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'

type Props = { kind: 'replace' | 'revoke'; onConfirm: () => Promise<void>; onClose: () => void }

/** Asks before the address is replaced or revoked, and says what happens to the calendars that have it (CAL-1). */
export function CalendarDialog({ kind, ...events }: Props) {
  const t = useText()
  return kind === 'replace' ? (
    <ConfirmDialog
      title={t({ pl: 'Utworzyć nowy adres?', en: 'Create a new link?' })}
      description={t({
        pl: 'Obecny adres od razu przestanie działać. Nowy trzeba będzie wkleić w\u00a0każdym kalendarzu.',
        en: 'The current link stops working at once. You’ll have to paste the new one into each calendar.',
      })}
      label={t({ pl: 'Utwórz nowy adres', en: 'Create new link' })}
      busyText={t({ pl: 'Tworzymy…', en: 'Creating…' })}
      {...events}
    />
  ) : (
    <ConfirmDialog
      title={t({ pl: 'Wyłączyć adres?', en: 'Turn off the link?' })}
      description={t({
        pl: 'Kalendarze, w\u00a0których jest ten adres, nie dostaną już Twoich terminów. Te, które mają, mogą zachować.',
        en: 'Calendars using this link stop updating. They may keep the dates they have.',
      })}
      label={t({ pl: 'Wyłącz adres', en: 'Turn off link' })}
      busyText={t({ pl: 'Wyłączamy…', en: 'Turning off…' })}
      {...events}
    />
  )
}
