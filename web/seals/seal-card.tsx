import { useId } from 'react'
import {
  confirmSealPairing,
  downloadSealAgreement,
  listSeals,
  startSealPairing,
  summariseSeals,
  type Seal,
} from '../../contract/seals.ts'
import { Icon } from '../art/icons.tsx'
import { Medallion } from '../art/medallion.tsx'
import { call, newIdempotencyKey } from '../api.ts'
import { useLocale, useText } from '../locale.tsx'
import { forget } from '../reads.ts'
import { formatDate, formatDateTime, formatDaysLeft, yearsText } from '../text/format.ts'
import { validityOf } from '../text/validity.ts'
import { Badge } from '../ui/badge.tsx'
import { PairButton } from '../ui/pair-button.tsx'
import { SaveButton } from '../ui/save-button.tsx'
import { roleText, sealProductText, sealReasonText } from './seal-text.ts'

/** One seal: whose, what it is, how long still, and what its user can do with it (SEA-1). */
export function SealCard({ seal, now }: { seal: Seal; now: number }) {
  const t = useText()
  const locale = useLocale()
  const heading = useId()
  const { product, name, organisation, years, status, reason, validFrom, validTo } = seal
  const ended = reason === 'expired'
  return (
    <article className="card diploma cert" aria-labelledby={heading}>
      <Medallion family="seal" size={104} off={status !== 'active'} />
      <div className="cert__main">
        <div className="cert__top">
          <h3 id={heading} tabIndex={-1} className="cert__t">
            {organisation.name}
          </h3>
          <StatusBadge seal={seal} now={now} />
        </div>
        <p className="soft">
          {t(sealProductText[product])}, {name}
        </p>
        <dl className="dl cert__dl cert__dl--seal">
          <div>
            <dt>{t({ pl: 'Identyfikator organizacji', en: 'Organisation identifier' })}</dt>
            <dd className="mono">{organisation.identifier}</dd>
          </div>
          <div>
            <dt>{t({ pl: 'Okres', en: 'Period' })}</dt>
            <dd>{yearsText(locale, years)}</dd>
          </div>
          <div>
            <dt>{t(ended ? { pl: 'Była ważna do', en: 'Was valid until' } : { pl: 'Ważna do', en: 'Valid until' })}</dt>
            <dd>
              <time dateTime={validTo}>{formatDateTime(locale, validTo)}</time>
            </dd>
          </div>
          <div>
            <dt>{t({ pl: 'Twoja rola', en: 'Your role' })}</dt>
            <dd>{t(roleText[seal.role])}</dd>
          </div>
        </dl>
        {reason && (
          <p className="cert__why">
            <b>{t(sealReasonText[reason].word)}.</b> {t(sealReasonText[reason].advice)}
            {reason === 'not-yet-valid' &&
              t({
                pl: ` Początek: ${formatDate(locale, validFrom)}.`,
                en: ` It begins on ${formatDate(locale, validFrom)}.`,
              })}
          </p>
        )}
      </div>
      <SealActions seal={seal} />
    </article>
  )
}

function StatusBadge({ seal, now }: { seal: Seal; now: number }) {
  const t = useText()
  const locale = useLocale()
  const { days, urgency } = validityOf(seal, now)
  if (seal.status === 'inactive')
    return (
      <Badge kind="mute" icon="minusc">
        {t({ pl: 'Nieaktywna', en: 'Inactive' })}
      </Badge>
    )
  if (urgency === 'none')
    return (
      <Badge kind="ok" icon="okc">
        {t({ pl: 'Aktywna', en: 'Active' })}
      </Badge>
    )
  const left = formatDaysLeft(locale, days)
  return (
    <Badge kind={urgency === 'strong' ? 'warn-strong' : 'warn'} icon="hour">
      {t({ pl: `Wygasa ${left}`, en: `Expires ${left}` })}
    </Badge>
  )
}

function SealActions({
  seal: { id, name, organisation, product, pairable, pairedAt, agreement, validFrom },
}: {
  seal: Seal
}) {
  const t = useText()
  const which = `: ${organisation.name}`
  return (
    <div className="cert__act">
      {pairable && (
        <PairButton
          thing="seal"
          which={which}
          description={`${t(sealProductText[product])}, ${name}`}
          isPaired={!!pairedAt}
          start={() => call(startSealPairing, { params: { id }, idempotencyKey: newIdempotencyKey() })}
          prove={async (code) => {
            await call(confirmSealPairing, { params: { id }, body: { code } })
            await forget(listSeals, summariseSeals)
          }}
        />
      )}
      {agreement === 'ready' ? (
        <SaveButton
          name={t({ pl: `umowa-${validFrom.slice(0, 10)}.pdf`, en: `agreement-${validFrom.slice(0, 10)}.pdf` })}
          // A download is answered with the file, which the contract's type of a reply does not tell.
          load={() => call(downloadSealAgreement, { params: { id } }) as unknown as Promise<Blob>}
        >
          {t({ pl: 'Pobierz umowę', en: 'Download agreement' })}
          <span className="vh">{which}</span>
        </SaveButton>
      ) : (
        <p className="cert__soon small soft">
          <Icon name="hour" size="s" />
          {t({ pl: 'Umowa będzie gotowa za chwilę', en: 'The agreement will be ready in a moment' })}
        </p>
      )}
    </div>
  )
}
