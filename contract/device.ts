import * as z from 'zod/mini'
import { component, described } from './documented.ts'

export const browsers = ['chrome', 'edge', 'firefox', 'opera', 'safari', 'samsung'] as const
export const systems = ['android', 'chromeos', 'ios', 'linux', 'macos', 'windows'] as const

export const Device = component(
  'Device',
  'What is kept of a User-Agent; null where it matches nothing known.',
  z.strictObject({
    browser: described('The browser; null if it is not known.', z.nullable(z.enum(browsers))),
    system: described('The operating system; null if it is not known.', z.nullable(z.enum(systems))),
  }),
)
export type Device = z.infer<typeof Device>

/** Patterns of a User-Agent; a browser that also names others comes before them. */
const browserMarks = [
  ['edge', /\bEdg(?:A|iOS)?\//],
  ['opera', /\bOPR\//],
  ['samsung', /\bSamsungBrowser\//],
  ['firefox', /\b(?:Firefox|FxiOS)\//],
  ['chrome', /\b(?:Headless)?(?:Chrome|CriOS)\//],
  ['safari', /\bSafari\//],
] as const
const systemMarks = [
  ['android', /\bAndroid\b/],
  ['ios', /\b(?:iPhone|iPad|iPod)\b/],
  ['chromeos', /\bCrOS\b/],
  ['windows', /\bWindows NT\b/],
  ['macos', /\bMacintosh\b/],
  ['linux', /\bLinux\b/],
] as const

export function parseDevice(userAgent: string): Device {
  const text = userAgent.slice(0, 512)
  const first = <Name>(marks: readonly (readonly [Name, RegExp])[]) =>
    marks.find(([, mark]) => mark.test(text))?.[0] ?? null
  return { browser: first(browserMarks), system: first(systemMarks) }
}

const browserNames: Record<(typeof browsers)[number], string> = {
  chrome: 'Chrome',
  edge: 'Edge',
  firefox: 'Firefox',
  opera: 'Opera',
  safari: 'Safari',
  samsung: 'Samsung Internet',
}
const systemNames: Record<(typeof systems)[number], string> = {
  android: 'Android',
  chromeos: 'ChromeOS',
  ios: 'iOS',
  linux: 'Linux',
  macos: 'macOS',
  windows: 'Windows',
}

/** Names a device in every language, such as `Chrome, Windows`; empty if nothing is known. */
export const deviceName = ({ browser, system }: Device): string =>
  [browser && browserNames[browser], system && systemNames[system]].filter(Boolean).join(', ')
