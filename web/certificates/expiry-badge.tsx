import type { Text } from '../../contract/enums.ts'
import { useLocale, useText } from '../locale.tsx'
import { formatDaysLeft } from '../text/format.ts'
import type { validityOf } from '../text/validity.ts'
import { Badge } from '../ui/badge.tsx'

type Props = {
  isActive: boolean
  validity: Pick<ReturnType<typeof validityOf>, 'days' | 'urgency'>
  /** In the grammatical gender of the product. */
  texts: { active: Text; inactive: Text }
}

/** Whether a product is active, and how soon it ends. */
export function ExpiryBadge({ isActive, validity: { days, urgency }, texts }: Props) {
  const t = useText()
  const locale = useLocale()
  if (!isActive || urgency === 'none')
    return (
      <Badge kind={isActive ? 'ok' : 'mute'} icon={isActive ? 'okc' : 'minusc'}>
        {t(isActive ? texts.active : texts.inactive)}
      </Badge>
    )
  const left = formatDaysLeft(locale, days)
  return (
    <Badge kind={urgency === 'strong' ? 'warn-strong' : 'warn'} icon="hour">
      {t({ pl: `Wygasa ${left}`, en: `Expires ${left}` })}
    </Badge>
  )
}
