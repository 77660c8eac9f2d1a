import { keysOf } from '../../contract/keys-of.ts'
import { useText } from '../locale.tsx'
import type { StatusLook } from './badge.tsx'
import { Select } from './select.tsx'

type Props<S extends string> = {
  className: string
  looks: Record<S, StatusLook>
  status: S | undefined
  onChange: (status: S | undefined) => void
}

/** Limits a list to one status. */
export function StatusFilter<S extends string>({ className, looks, status, onChange }: Props<S>) {
  const t = useText()
  const all = { value: '', label: t({ pl: 'Wszystkie', en: 'All' }) } as const
  return (
    <search className={className}>
      <Select
        name="status"
        label={t({ pl: 'Status', en: 'Status' })}
        value={status ?? ''}
        options={[all, ...keysOf(looks).map((value) => ({ value, label: t(looks[value].text) }))]}
        onChange={(value) => onChange(value || undefined)}
      />
    </search>
  )
}
