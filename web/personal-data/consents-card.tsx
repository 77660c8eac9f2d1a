import { useState } from 'react'
import { changeMarketingConsent, readConsents, type Consent, type Wording } from '../../contract/consents.ts'
import type { Reply } from '../../contract/endpoint.ts'
import { consentKinds, statements, type ConsentKind } from '../../contract/legal/consent-statements.ts'
import { config } from '../app/config.ts'
import { useLocale, useText } from '../app/locale.tsx'
import { call } from '../calls/api.ts'
import { invalidate, useRead } from '../calls/reads.ts'
import { WordingDialog } from '../consents/wording-dialog.tsx'
import { hashWordings, loadWording } from '../consents/wordings.ts'
import { formatDate, formatDateTime } from '../text/format.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Region } from '../ui/region.tsx'
import { SectionCard } from '../ui/section-card.tsx'
import './my-data.css'
import { SettingSwitch } from './setting-switch.tsx'

/** Shows each consent with its date and wording; marketing consent can be withdrawn as easily as given (REG-5). */
export function ConsentsCard() {
  const t = useText()
  const consents = useRead(readConsents)
  const [open, setOpen] = useState<Wording>()
  return (
    <SectionCard id="consents-title" title={t({ pl: 'Zgody', en: 'Consents' })}>
      <Region query={consents} lines={5} label={t({ pl: 'Wczytujemy zgody', en: 'Loading your consents' })}>
        {({ items, reported }) => (
          <ul className="consent-list">
            {consentKinds.map((kind) => (
              <ConsentRow
                key={kind}
                kind={kind}
                consent={items.find((item) => item.kind === kind)}
                reported={reported}
                onShow={setOpen}
              />
            ))}
          </ul>
        )}
      </Region>
      {open && <WordingDialog wording={open} onClose={() => setOpen(undefined)} />}
    </SectionCard>
  )
}

type Report = Reply<typeof readConsents>['reported'][number]

type RowProps = {
  kind: ConsentKind
  consent: Consent | undefined
  /** Consents reported by the provider (PRV-11). */
  reported: readonly Report[]
  onShow: (wording: Wording) => void
}

function ConsentRow({ kind, consent, reported, onShow }: RowProps) {
  const t = useText()
  const { title, statement, more } = statements(config.brand)[kind]
  const report = reported.find((one) => one.kind === kind)
  const accepted = report ? undefined : consent?.wording
  // What was accepted elsewhere is not stored here, so the text is the one that applies now.
  const show = accepted || kind === 'marketing' ? showText : showCurrentText
  return (
    <li>
      <div>
        <h3>{t(title)}</h3>
        {report ? <ReportedState report={report} /> : <ConsentState kind={kind} consent={consent} />}
        {kind === 'marketing' && (
          <p className="small muted">
            {t(statement)}. {more && `${t(more)}.`}
          </p>
        )}
        {kind === 'marketing' && (
          <div className="buttons">
            <MarketingSwitch isGiven={consent?.given ?? false} />
          </div>
        )}
      </div>
      <div className="buttons">
        <Button
          variant="quiet"
          size="s"
          aria-label={`${t(show)}: ${t(title)}`}
          onClick={async () => onShow(accepted ?? (await loadWording(kind, t.locale)))}
        >
          {t(show)}
        </Button>
      </div>
    </li>
  )
}

const showText = { pl: 'Pokaż treść', en: 'Show text' }
const showCurrentText = { pl: 'Pokaż obecną treść', en: 'Show current text' }

function ReportedState({ report: { at, version } }: { report: Report }) {
  const t = useText()
  return (
    <p className="consent-list__state">
      <Badge kind="ok" icon="check-circle">
        {t({ pl: 'Zaakceptowano w\u00a0umowie', en: 'Accepted in your agreement' })}
      </Badge>
      <Moment at={at} version={version} />
    </p>
  )
}

function ConsentState({ kind, consent }: Pick<RowProps, 'kind' | 'consent'>) {
  const t = useText()
  if (!consent)
    return (
      <p>
        <Badge kind="muted" icon="minus-circle">
          {kind === 'marketing'
            ? t({ pl: 'Brak zgody', en: 'No consent' })
            : t({ pl: 'Brak zapisu w\u00a0portalu', en: 'Not recorded in the portal' })}
        </Badge>
      </p>
    )
  return (
    <p className="consent-list__state">
      {consent.given ? (
        <Badge kind="ok" icon="check-circle">
          {kind === 'marketing'
            ? t({ pl: 'Zgoda udzielona', en: 'Consent given' })
            : t({ pl: 'Potwierdzono', en: 'Confirmed' })}
        </Badge>
      ) : (
        <Badge kind="muted" icon="minus-circle">
          {t({ pl: 'Zgoda wycofana', en: 'Consent withdrawn' })}
        </Badge>
      )}
      <Moment at={consent.at} version={consent.wording.version} />
    </p>
  )
}

function Moment({ at, version }: Pick<Report, 'at' | 'version'>) {
  const t = useText()
  const day = formatDate(t.locale, version)
  return (
    <span>
      {formatDateTime(t.locale, at)},{' '}
      <span className="muted nowrap">{t({ pl: `wersja z\u00a0${day}`, en: `version of ${day}` })}</span>
    </span>
  )
}

function MarketingSwitch({ isGiven }: { isGiven: boolean }) {
  const locale = useLocale()
  return (
    <SettingSwitch
      label={isGiven ? { pl: 'Wycofaj zgodę', en: 'Withdraw consent' } : { pl: 'Wyraź zgodę', en: 'Give consent' }}
      done={
        isGiven ? { pl: 'Zgoda wycofana', en: 'Consent withdrawn' } : { pl: 'Zgoda zapisana', en: 'Consent recorded' }
      }
      change={async () => {
        const { marketing } = await hashWordings(locale)
        await call(changeMarketingConsent, { body: { given: !isGiven, locale, wording: marketing } })
        await invalidate(readConsents)
      }}
    />
  )
}
