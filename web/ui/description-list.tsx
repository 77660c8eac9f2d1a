import type { ComponentProps, ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'
import { Code } from './verbatim.tsx'

/** `rows`: one below the other with lines between them; `columns`: next to each other. */
type Look = 'rows' | 'columns' | 'plain'
const classes: Record<Look, string | undefined> = { rows: 'rows', columns: 'definitions', plain: undefined }

type ListProps = { look?: Look; className?: string; children: ReactNode }

/** Shows names with their values; its children are rows. */
export function DescriptionList({ look = 'rows', className, children }: ListProps) {
  return <dl className={[classes[look], className].filter(Boolean).join(' ') || undefined}>{children}</dl>
}

type RowProps = { name: ReactNode; action?: ReactNode } & ComponentProps<'dd'>

/** Shows a name with its value, and an optional action. */
export function Row({ name, action, ...value }: RowProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd {...value} />
      {action && <dd>{action}</dd>}
    </div>
  )
}

/** Shows a row whose value is a name, which a browser's translator leaves as it is. */
export const VerbatimRow = (row: RowProps) => <Row translate="no" {...row} />

/** Shows a row whose value is a number or a code, with a button to copy it if `copyLabel` is given. */
export function CodeRow({ name, copyLabel, children: code }: { name: string; copyLabel?: string; children: string }) {
  return (
    <Row name={name}>
      <Code className="wrap">{code}</Code>
      {copyLabel && (
        <span className="buttons">
          <CopyButton text={code} label={copyLabel} />
        </span>
      )}
    </Row>
  )
}
