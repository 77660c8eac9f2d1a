import { readSwitches } from '../../contract/desk/desk-operations.ts'
import type { Reply } from '../../contract/endpoint.ts'
import type { Text } from '../../contract/enums.ts'
import type { Feature } from '../../contract/features.ts'
import { useText } from '../app/locale.tsx'
import { useRead } from '../calls/reads.ts'
import { LookBadge, type StatusLook } from '../ui/badge.tsx'
import { Region } from '../ui/region.tsx'
import { DataTable, type Column } from '../ui/table.tsx'
import { OperationsFrame } from './operations-frame.tsx'

const on: StatusLook = { kind: 'ok', icon: 'check-circle', text: { pl: 'Włączona', en: 'On' } }
const off: StatusLook = { kind: 'muted', icon: 'minus-circle', text: { pl: 'Wyłączona', en: 'Off' } }

const featureText: Record<Feature, Text> = {
  registration: { pl: 'Rejestracja', en: 'Registration' },
  passkeys: { pl: 'Klucze dostępu', en: 'Passkeys' },
  signatures: { pl: 'Podpisy', en: 'Signatures' },
  seals: { pl: 'Pieczęcie', en: 'Seals' },
  timestamps: { pl: 'Znaczniki czasu', en: 'Timestamps' },
  calendar: { pl: 'Kalendarz terminów', en: 'Calendar of expiry dates' },
  documents: { pl: 'Dokumenty', en: 'Documents' },
  signing: { pl: 'Podpisywanie w\u00a0portalu', en: 'Signing in the portal' },
  vouchers: { pl: 'Vouchery', en: 'Vouchers' },
  renewal: { pl: 'Odnowienie podpisu', en: 'Renewal of a signature' },
  'phone-change': { pl: 'Zmiana numeru telefonu', en: 'Change of the phone number' },
  'data-export': { pl: 'Kopia danych', en: 'Copy of all data' },
  'status-requests': { pl: 'Zawieszanie i\u00a0unieważnianie', en: 'Suspension and revocation' },
  software: { pl: 'Oprogramowanie', en: 'Software' },
  'file-check': { pl: 'Sprawdzanie podpisanych plików', en: 'Checking signed files' },
  'file-signing': { pl: 'Podpisywanie plików', en: 'Signing files' },
  offline: { pl: 'Praca bez połączenia', en: 'Working offline' },
}

const feature = { pl: 'Funkcja', en: 'Feature' }
const columns: Column<Reply<typeof readSwitches>['items'][number]>[] = [
  { title: feature, cell: ({ name }, t) => t(featureText[name]) },
  {
    title: { pl: 'Nazwa w\u00a0konfiguracji', en: 'Name in the configuration' },
    translate: 'no',
    cell: ({ name }) => <code>{name}</code>,
  },
  { title: { pl: 'Stan', en: 'State' }, cell: ({ isOn }) => <LookBadge look={isOn ? on : off} /> },
]

/** Shows which features are on (DSK-36). A node reads its configuration at its start, so nothing can be switched here. */
export function SwitchesScreen() {
  const t = useText()
  const switches = useRead(readSwitches)
  return (
    <OperationsFrame
      title={{ pl: 'Funkcje portalu', en: 'Features of the portal' }}
      lede={{
        pl: 'Operator wyłącza je w\u00a0konfiguracji (FEATURES_OFF); zmiana działa po ponownym uruchomieniu węzłów.',
        en: 'The operator switches them off in the configuration (FEATURES_OFF); a change needs a restart of the nodes.',
      }}
    >
      <Region query={switches} label={t({ pl: 'Wczytujemy funkcje', en: 'Loading features' })}>
        {({ items }) => <DataTable caption={feature} columns={columns} rows={items} keyOf={({ name }) => name} />}
      </Region>
    </OperationsFrame>
  )
}
