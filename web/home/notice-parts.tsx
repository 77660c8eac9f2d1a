import { endSentence } from '../../contract/rules/end-sentence.ts'
import { useText } from '../app/locale.tsx'
import { RenewButton } from '../renewal/renew-button.tsx'
import { Badge } from '../ui/badge.tsx'
import { ButtonLink, type ButtonVariant } from '../ui/button.tsx'
import { CallButton } from '../ui/call-button.tsx'
import { Code, Verbatim } from '../ui/verbatim.tsx'
import type { HomeNotice } from './home-notice.ts'

export const NoticeBadge = ({ notice: { badge } }: { notice: HomeNotice }) => (
  <Badge kind={badge.kind} icon={badge.icon}>
    {badge.text}
  </Badge>
)

export const Detail = ({ notice: { whose, number, detail } }: { notice: HomeNotice }) => (
  <p className="soft">
    {whose && <Verbatim>{number ? `${whose}, ` : `${endSentence(whose)} `}</Verbatim>}
    {number && (
      <>
        <Code>{number}</Code>
        {'. '}
      </>
    )}
    {detail}
  </p>
)

type Props = { notice: HomeNotice; variant?: ButtonVariant; size?: 's' }

/** Shows the action of a notice: a renewal opens a dialog, and a call has the number; every other step is a link. */
export function StepButton({ notice, variant = 'secondary', size }: Props) {
  const t = useText()
  const { step, title, whose, number } = notice
  // Several notices can have the same step; the hidden text distinguishes them for screen readers.
  const which = (
    <span className="unseen">
      {' '}
      ({title}
      {whose && <Verbatim>, {whose}</Verbatim>}
      {number && <Verbatim>, {number}</Verbatim>})
    </span>
  )
  if ('renew' in step)
    return (
      <RenewButton signature={step.renew} description={step.description} variant={variant} size={size}>
        {which}
      </RenewButton>
    )
  if ('call' in step)
    return (
      <CallButton variant={variant} isLarge={!size} isShort={size === 's'}>
        {which}
      </CallButton>
    )
  const { label, ...target } = step
  return (
    <ButtonLink variant={variant} size={size} {...target}>
      <span>
        {t(label)}
        {which}
      </span>
    </ButtonLink>
  )
}
