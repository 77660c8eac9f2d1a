import type { Text } from '../../contract/enums.ts'
import type { VoucherProcess } from '../../contract/vouchers.ts'

/** VCH-3: what a voucher is for, by the name of the case that it opens. */
export const processText: Record<VoucherProcess, Text> = {
  'cloud-certificate': { pl: 'Wniosek o\u00a0certyfikat w\u00a0chmurze', en: 'Cloud certificate application' },
  'card-certificate': { pl: 'Wniosek o\u00a0certyfikat na karcie', en: 'Card certificate application' },
  'file-certificate': { pl: 'Wniosek o\u00a0certyfikat w\u00a0pliku', en: 'File certificate application' },
  'cloud-seal': { pl: 'Wniosek o\u00a0pieczęć w\u00a0chmurze', en: 'Cloud seal application' },
  'card-seal': { pl: 'Wniosek o\u00a0pieczęć na karcie', en: 'Card seal application' },
  'psd2-seal': { pl: 'Wniosek o\u00a0pieczęć PSD2 na karcie', en: 'PSD2 seal application' },
  'file-seal': { pl: 'Wniosek o\u00a0pieczęć w\u00a0pliku', en: 'File seal application' },
  timestamps: { pl: 'Wniosek o\u00a0znaczniki czasu', en: 'Timestamp application' },
}
