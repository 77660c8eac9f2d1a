import { listSoftware, type SoftwareRelease, type Platform } from '../../contract/software.ts'
import { useHydrated } from '../app/hydration.tsx'
import { useText } from '../app/locale.tsx'
import { partOnDemand } from '../app/on-demand.tsx'
import { PageHead } from '../app/page-head.tsx'
import { userAgent } from '../app/user-agent.ts'
import { useRead } from '../calls/reads.ts'
import { formatBytes } from '../text/bytes-text.ts'
import { DateText } from '../text/date-text.tsx'
import { ButtonLink } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { DescriptionList, Row } from '../ui/description-list.tsx'
import './software.css'
import { Empty } from '../ui/empty.tsx'
import { Fold } from '../ui/fold.tsx'
import { Region } from '../ui/region.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** QR code, loaded on demand, because only computers show it. */
const QrCode = partOnDemand(() => import('../ui/qr-code.tsx').then((file) => file.QrCode), <div className="qr__code" />)

const platformText: Record<Platform, string> = {
  windows: 'Windows',
  macos: 'macOS',
  linux: 'Linux',
  android: 'Android',
  ios: 'iPhone, iPad',
}

const order: readonly Platform[] = ['windows', 'macos', 'linux', 'android', 'ios']

const isForPhones = (platform: Platform) => platform === 'android' || platform === 'ios'

/** Returns the visitor's platform, as reported by the browser; phones are checked first, because they claim to be desktops as well. */
export function platformOf({
  userAgent: browser,
  maxTouchPoints,
}: Pick<Navigator, 'userAgent' | 'maxTouchPoints'>): Platform | undefined {
  if (/Android/.test(browser)) return 'android'
  // An iPad says that it is a Macintosh, but no Macintosh has a touch screen.
  if (/iPhone|iPad/.test(browser) || (/Macintosh/.test(browser) && maxTouchPoints > 1)) return 'ios'
  if (/Windows/.test(browser)) return 'windows'
  if (/Macintosh/.test(browser)) return 'macos'
  return /Linux/.test(browser) ? 'linux' : undefined
}

/** Groups the releases by platform, the visitor's first, the others in a fixed order (SOF-1). */
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

/** Shows the page of the software (SOF-1). */
export function SoftwareScreen() {
  const t = useText()
  const list = useRead(listSoftware)
  // The server does not know of touch screens, by which an iPad is told from a Mac.
  const isHydrated = useHydrated()
  const ownPlatform = platformOf({ userAgent, maxTouchPoints: isHydrated ? navigator.maxTouchPoints : 0 })

  return (
    <>
      <PageHead
        title={{ pl: 'Oprogramowanie', en: 'Software' }}
        lede={{
          pl: 'Programy do podpisywania i\u00a0sprawdzania dokumentów.',
          en: 'Software for signing and checking documents.',
        }}
      />
      <Region
        query={list}
        skeleton={
          <div className="card">
            <Skeleton lines={5} />
          </div>
        }
        label={t({ pl: 'Wczytujemy oprogramowanie', en: 'Loading software' })}
      >
        {({ items }) =>
          items.length ? (
            <div className="platforms">
              {byPlatform(items, ownPlatform).map(({ platform, own, releases }) => (
                <section
                  key={platform}
                  className={isForPhones(platform) && !own ? 'platform platform--phone' : 'platform'}
                  aria-labelledby={`for-${platform}`}
                >
                  <h2 id={`for-${platform}`}>
                    {own
                      ? t({
                          pl: `Dla Twojego systemu: ${platformText[platform]}`,
                          en: `For your system: ${platformText[platform]}`,
                        })
                      : platformText[platform]}
                  </h2>
                  <ul className="releases">
                    {releases.map((release) => (
                      <li key={release.url}>
                        <Release
                          release={release}
                          isOwn={own}
                          hasQr={isForPhones(platform) && !(ownPlatform && isForPhones(ownPlatform))}
                        />
                      </li>
                    ))}
                  </ul>
                </section>
              ))}
            </div>
          ) : (
            <div className="card">
              <Empty
                icon="laptop"
                reason={t({
                  pl: 'Nie ma teraz programów do pobrania. Jeśli czegoś potrzebujesz, zadzwoń do nas.',
                  en: 'There’s no software to download now. If you need something, call us.',
                })}
              />
            </div>
          )
        }
      </Region>
    </>
  )
}

/**
 * Shows a release. `hasQr`: a phone app, shown on a computer, from whose screen the phone's camera takes the address of the store.
 */
function Release({ release, isOwn, hasQr }: { release: SoftwareRelease; isOwn: boolean; hasQr: boolean }) {
  const t = useText()
  const { platform, name, purpose, requirements, version, releasedAt, bytes, sha256, url } = release
  const isInStore = bytes === null && isForPhones(platform)
  const which = `${name}, ${platformText[platform]}`
  return (
    <article className={hasQr ? 'card release release--qr' : 'card release'}>
      <h3>{name}</h3>
      <p className="soft">{t(purpose)}</p>
      <DescriptionList look="columns" className="release__definitions">
        <Row name={t({ pl: 'Wersja', en: 'Version' })}>{version}</Row>
        <Row name={t({ pl: 'Data wydania', en: 'Released' })}>
          <DateText at={releasedAt} />
        </Row>
        <Row name={t({ pl: 'Wymagania', en: 'Requirements' })}>{t(requirements)}</Row>
      </DescriptionList>
      <div className="release__get">
        {sha256 && (
          <Fold
            className="release__sum"
            summary={
              <>
                {t({ pl: 'Suma kontrolna SHA-256', en: 'SHA-256 checksum' })}
                <span className="unseen"> ({which})</span>
              </>
            }
          >
            <p className="mono wrap" translate="no">
              {sha256}
            </p>
            <p className="buttons">
              <CopyButton text={sha256} label={t({ pl: 'Skopiuj sumę', en: 'Copy checksum' })} about={`(${which})`} />
            </p>
          </Fold>
        )}
        <div className="buttons">
          <ButtonLink
            variant={isOwn ? 'primary' : 'secondary'}
            href={url}
            {...(!isInStore && { icon: 'download' as const })}
          >
            <span>
              {isInStore
                ? t({
                    pl: `Otwórz w\u00a0${platform === 'ios' ? 'App Store' : 'Google Play'}`,
                    en: `Open in ${platform === 'ios' ? 'the App Store' : 'Google Play'}`,
                  })
                : t({ pl: 'Pobierz', en: 'Download' })}
              <span className="unseen"> ({which})</span>
              {bytes !== null && ` (${fileKind(url)}${formatBytes(t.locale, bytes)})`}
            </span>
          </ButtonLink>
        </div>
      </div>
      {hasQr && (
        <figure className="release__qr">
          <QrCode content={url} label={t({ pl: `Kod QR: ${which}`, en: `QR code: ${which}` })} />
          <figcaption className="small muted">{t({ pl: 'Zeskanuj telefonem', en: 'Scan with your phone' })}</figcaption>
        </figure>
      )}
    </article>
  )
}

/** Returns `MSI, ` for an address that ends in `.msi`; an empty text if the address has no extension. */
function fileKind(url: string) {
  const ending = /\.([a-z]{2,8})$/i.exec(url.split(/[?#]/, 1).join(''))?.[1]
  return ending ? `${ending.toUpperCase()}, ` : ''
}
