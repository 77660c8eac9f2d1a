import { Email } from '../../../contract/fields.ts'
import type { Brand } from '../../../contract/page-config.ts'

/** The text next to the forms of visitors, unless the provider has its own. */
export const plainClaim: NonNullable<Brand['claim']> = {
  title: {
    pl: 'Podpis, który\u00a0waży tyle\u00a0co\u00a0odręczny.',
    en: 'As binding as your handwritten signature.',
  },
  text: {
    pl: 'Kwalifikowane usługi zaufania zgodne z\u00a0rozporządzeniem eIDAS.',
    en: 'Qualified trust services under the eIDAS Regulation.',
  },
}

/** The brand of the demonstration, and the start of every provider's own. */
export const demonstrationBrand: Brand = {
  product: 'Sygnet',
  company: 'Sygnet TEST',
  phone: '+48 22 100 20 30',
  email: 'pomoc@sygnet.example',
  hours: { from: '8:00', to: '17:00' },
  links: {
    renewal: 'https://shop.sygnet.example/renewal',
    newSignature: 'https://shop.sygnet.example/signature',
    seal: 'https://shop.sygnet.example/seal',
    timestamp: 'https://shop.sygnet.example/timestamp',
    salesPoints: 'https://www.sygnet.example/sales-points',
    suspension: 'https://www.sygnet.example/suspension',
    knowledgeStart: 'https://help.sygnet.example/first-steps',
    knowledgePdf: 'https://help.sygnet.example/signing-pdf',
    documents: 'https://www.sygnet.example/documents',
  },
}

/** Parses the sender of mails, written as an address or as `Name <address>`; undefined if it is neither. */
export function parseSender(text: string): { name: string; address: string } | undefined {
  const [, name = '', address = text] = /^([^<>]*)<([^<>]+)>$/.exec(text) ?? []
  if (/\p{Cc}/u.test(text) || Email.safeParse(address).data !== address) return undefined
  return { name: name.replaceAll('"', '').trim(), address }
}
