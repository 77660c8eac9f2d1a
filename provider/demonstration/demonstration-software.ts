import { hash } from 'node:crypto'
import type { SoftwareRelease } from '../../contract/software.ts'

/** A program of the demonstration: a small file with a description, and its real size and checksum. */
export type DemonstrationRelease = {
  id: string
  fileName: string | undefined
  content: Buffer | undefined
  release: SoftwareRelease
}

type Program = Pick<SoftwareRelease, 'platform' | 'name' | 'purpose' | 'requirements' | 'version'> & {
  id: string
  releasedAt: string
  extension?: string
  store?: string
}

const desktop = {
  pl: 'Podpisuje dokumenty kartą i\u00a0podpisem w\u00a0aplikacji, sprawdza podpisy innych osób.',
  en: 'Signs documents with a card or the app signature, and checks other people’s signatures.',
}
const mobile = {
  pl: 'Podpisuje telefonem i\u00a0tworzy jednorazowe kody.',
  en: 'Signs with your phone and makes one-time codes.',
}

const programs: Program[] = [
  {
    id: 'desktop-windows',
    platform: 'windows',
    name: 'Sygnet Podpis TEST',
    purpose: desktop,
    requirements: { pl: 'Windows 10 lub nowszy, 64-bitowy', en: 'Windows 10 or newer, 64-bit' },
    version: '3.2.1',
    releasedAt: '2026-10-05T08:00:00.000Z',
    extension: 'msi',
  },
  {
    id: 'desktop-macos',
    platform: 'macos',
    name: 'Sygnet Podpis TEST',
    purpose: desktop,
    requirements: { pl: 'macOS 13 lub nowszy', en: 'macOS 13 or newer' },
    version: '3.2.1',
    releasedAt: '2026-10-05T08:00:00.000Z',
    extension: 'dmg',
  },
  {
    id: 'desktop-linux',
    platform: 'linux',
    name: 'Sygnet Podpis TEST',
    purpose: desktop,
    requirements: { pl: 'Debian 12, Ubuntu 22.04 lub nowsze', en: 'Debian 12, Ubuntu 22.04 or newer' },
    version: '3.2.0',
    releasedAt: '2026-09-01T08:00:00.000Z',
    extension: 'deb',
  },
  {
    id: 'card-windows',
    platform: 'windows',
    name: 'Sygnet Karta TEST',
    purpose: {
      pl: 'Sterownik karty: instaluje certyfikaty w\u00a0systemie.',
      en: 'Card driver: installs the certificates in the system.',
    },
    requirements: { pl: 'Windows 10 lub nowszy', en: 'Windows 10 or newer' },
    version: '1.9.4',
    releasedAt: '2026-06-15T08:00:00.000Z',
    extension: 'msi',
  },
  {
    id: 'mobile-android',
    platform: 'android',
    name: 'Sygnet TEST',
    purpose: mobile,
    requirements: { pl: 'Android 11 lub nowszy', en: 'Android 11 or newer' },
    version: '5.0.2',
    releasedAt: '2026-11-02T08:00:00.000Z',
    store: 'https://play.sygnet.example/app',
  },
  {
    id: 'mobile-ios',
    platform: 'ios',
    name: 'Sygnet TEST',
    purpose: mobile,
    requirements: { pl: 'iOS 16 lub nowszy', en: 'iOS 16 or newer' },
    version: '5.0.2',
    releasedAt: '2026-11-02T08:00:00.000Z',
    store: 'https://apps.sygnet.example/app',
  },
]

export const releases: readonly DemonstrationRelease[] = programs.map(({ id, extension, store, ...program }) => {
  const fileName = extension && `${program.name.toLowerCase().replaceAll(' ', '-')}-${program.version}.${extension}`
  const content = fileName
    ? Buffer.from(
        `${program.name} ${program.version} for ${program.platform}: a TEST file of the demonstration provider, not a program.\n`.repeat(
          2000,
        ),
      )
    : undefined
  return {
    id,
    fileName,
    content,
    release: {
      ...program,
      bytes: content?.length ?? null,
      sha256: content ? hash('sha256', content) : null,
      url: store ?? `/demo/downloads/${fileName}`,
    },
  }
})
