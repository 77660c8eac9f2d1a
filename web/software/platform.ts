import type { Platform } from '../../contract/software.ts'

export const platformText: Record<Platform, string> = {
  windows: 'Windows',
  macos: 'macOS',
  linux: 'Linux',
  android: 'Android',
  ios: 'iPhone, iPad',
}

const order: readonly Platform[] = ['windows', 'macos', 'linux', 'android', 'ios']

export const isForPhones = (platform: Platform) => platform === 'android' || platform === 'ios'

/** The visitor's platform, as reported by the browser; phones first, because they claim to be desktops as well. */
export function platformOf({
  userAgent,
  maxTouchPoints,
}: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): Platform | undefined {
  if (/Android/.test(userAgent)) return 'android'
  // An iPad says that it is a Macintosh, but no Macintosh has a touch screen.
  if (/iPhone|iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) return 'ios'
  if (/Windows/.test(userAgent)) return 'windows'
  if (/Macintosh/.test(userAgent)) return 'macos'
  return /Linux/.test(userAgent) ? 'linux' : undefined
}

/** The releases by platform, the visitor's first, the others in a fixed order (SOF-1). */
export function byPlatform<R extends { platform: Platform }>(releases: readonly R[], own: Platform | undefined) {
  const first = own ? [own, ...order.filter((platform) => platform !== own)] : order
  return first
    .map((platform) => ({
      platform,
      own: platform === own,
      releases: releases.filter((release) => release.platform === platform),
    }))
    .filter((group) => group.releases.length)
}
