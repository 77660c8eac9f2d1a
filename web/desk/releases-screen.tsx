import { useState } from 'react'
import * as z from 'zod/mini'
import {
  listReleasesAtDesk,
  putReleaseAtDesk,
  removeReleaseAtDesk,
  type ListedRelease,
} from '../../contract/desk/desk-operations.ts'
import type { DeskSession } from '../../contract/desk/desk-session.ts'
import type { Text } from '../../contract/enums.ts'
import { patternText, ProviderId } from '../../contract/fields.ts'
import { SoftwareRelease, type Platform } from '../../contract/software.ts'
import { isOff } from '../app/config.ts'
import { useText } from '../app/locale.tsx'
import { call } from '../calls/api.ts'
import { invalidate, useRead } from '../calls/reads.ts'
import { formatDate } from '../text/format.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { Field } from '../ui/field.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Region } from '../ui/region.tsx'
import { Select } from '../ui/select.tsx'
import { DataTable, type Column } from '../ui/table.tsx'
import { OperationsFrame, RowButton } from './operations-frame.tsx'
import { isRecent, refreshAfterOldSignIn, SignInAgain } from './recent-sign-in.tsx'

const platforms: Record<Platform, string> = {
  windows: 'Windows',
  macos: 'macOS',
  linux: 'Linux',
  android: 'Android',
  ios: 'iOS',
}

const text = {
  name: { pl: 'Program', en: 'Program' },
  platform: { pl: 'System', en: 'Platform' },
  version: { pl: 'Wersja', en: 'Version' },
  url: { pl: 'Adres', en: 'Address' },
}
const columns: Column<ListedRelease>[] = [
  { title: text.name, translate: 'no', cell: ({ name }) => name },
  { title: text.platform, cell: ({ platform }) => platforms[platform] },
  { title: text.version, cell: ({ version }) => version },
  {
    title: { pl: 'Wydany', en: 'Released' },
    cell: ({ releasedAt }, t) => formatDate(t.locale, releasedAt, 'short'),
  },
  { title: text.url, translate: 'no', className: 'desk-break', cell: ({ url }) => url },
]

/** Returns where customers see the programs, unless that page is off (ERR-5). */
export const releasesLede = (): Text => ({
  pl: `${isOff('software') ? '' : 'Klienci widzą je na stronie „Oprogramowanie”. '}Plik jest tam, gdzie prowadzi adres.`,
  en: `${isOff('software') ? '' : 'Customers see them on the page Software. '}The file is where its address leads.`,
})

/** Shows the programs that customers can download (DSK-35). */
export function ReleasesScreen({ session }: { session: DeskSession }) {
  const t = useText()
  const list = useRead(listReleasesAtDesk)
  const canChange = isRecent(session)
  const [edited, setEdited] = useState<ListedRelease | 'new'>()
  const [withdrawn, setWithdrawn] = useState<ListedRelease>()
  async function withdraw({ release }: ListedRelease) {
    await call(removeReleaseAtDesk, { params: { release } })
    await invalidate(listReleasesAtDesk)
  }
  return (
    <OperationsFrame
      title={{ pl: 'Programy do pobrania', en: 'Software' }}
      lede={releasesLede()}
      action={
        canChange && (
          <Button variant="primary" icon="plus" onClick={() => setEdited('new')}>
            {t({ pl: 'Dodaj program', en: 'Add a program' })}
          </Button>
        )
      }
    >
      {!canChange && <SignInAgain why={publishingNeedsIt} />}
      <Region query={list} label={t({ pl: 'Wczytujemy programy', en: 'Loading software' })}>
        {({ items }) =>
          items.length ? (
            <DataTable
              caption={text.name}
              columns={columns}
              rows={items}
              keyOf={({ release }) => release}
              actions={(item) => (
                <Actions item={item} canEdit={canChange} onEdit={setEdited} onWithdraw={setWithdrawn} />
              )}
            />
          ) : (
            <p className="soft">{t({ pl: 'Nie ma programów.', en: 'There are no programs.' })}</p>
          )
        }
      </Region>
      {edited && <ReleaseForm of={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
      {withdrawn && (
        <ConfirmDialog
          title={t({ pl: `Wycofać program ${withdrawn.name}?`, en: `Withdraw ${withdrawn.name}?` })}
          description={t({ pl: 'Klienci przestaną go widzieć.', en: 'Customers will not see it any more.' })}
          label={t({ pl: 'Wycofaj', en: 'Withdraw' })}
          onConfirm={() => withdraw(withdrawn)}
          onClose={() => setWithdrawn(undefined)}
        />
      )}
    </OperationsFrame>
  )
}

const publishingNeedsIt = {
  pl: 'Publikowanie i\u00a0zmiana programów wymagają logowania z\u00a0ostatnich 15\u00a0minut.',
  en: 'To publish or change a program, you need a sign-in of the last 15 minutes.',
}

type ActionsProps = Record<'onEdit' | 'onWithdraw', (item: ListedRelease) => void> & {
  item: ListedRelease
  canEdit: boolean
}

function Actions({ item, canEdit, onEdit, onWithdraw }: ActionsProps) {
  const of = `${item.name} ${item.version}`
  return (
    <span className="buttons">
      {canEdit && <RowButton label={{ pl: 'Zmień', en: 'Change' }} of={of} onClick={() => onEdit(item)} />}
      <RowButton label={{ pl: 'Wycofaj', en: 'Withdraw' }} of={of} onClick={() => onWithdraw(item)} />
    </span>
  )
}

const { platform, name, version, url, purpose, requirements, sha256 } = SoftwareRelease.shape

/** Fields of a release as they are typed: a day, and two languages next to each other. */
const ReleaseFields = z.object({
  release: ProviderId,
  platform,
  name,
  version,
  releasedOn: patternText(10, /^\d{4}-\d\d-\d\d$/, 'format', 'required'),
  url,
  purposePl: purpose.shape.pl,
  purposeEn: purpose.shape.en,
  requirementsPl: requirements.shape.pl,
  requirementsEn: requirements.shape.en,
  bytes: z.optional(patternText(12, /^[1-9]\d*$/)),
  sha256: z.optional(sha256),
})

function ReleaseForm({ of, onClose }: { of: ListedRelease | undefined; onClose: () => void }) {
  const t = useText()
  async function submit(fields: z.infer<typeof ReleaseFields>) {
    const { release, releasedOn, purposePl, purposeEn, requirementsPl, requirementsEn, bytes, ...rest } = fields
    const put = call(putReleaseAtDesk, {
      params: { release: of?.release ?? release },
      body: {
        ...rest,
        releasedAt: `${releasedOn}T00:00:00.000Z`,
        purpose: { pl: purposePl, en: purposeEn },
        requirements: { pl: requirementsPl, en: requirementsEn },
        bytes: bytes === undefined ? null : Number(bytes),
        sha256: rest.sha256 ?? null,
      },
    })
    await refreshAfterOldSignIn(put)
    await invalidate(listReleasesAtDesk)
    onClose()
  }
  return (
    <FormDialog
      isStacked
      schema={ReleaseFields}
      onSubmit={submit}
      summary="in-dialog"
      initial={of && initialOf(of)}
      title={of ? t({ pl: 'Zmień program', en: 'Change the program' }) : t({ pl: 'Nowy program', en: 'New program' })}
      width="l"
      onClose={onClose}
      submit={t({ pl: 'Opublikuj', en: 'Publish' })}
    >
      <Field name="release" label={t({ pl: 'Własny identyfikator', en: 'Your own id' })} readOnly={of !== undefined} />
      <Field name="name" label={t({ pl: 'Nazwa', en: 'Name' })} />
      <Select
        name="platform"
        label={t(text.platform)}
        value={of?.platform ?? 'windows'}
        options={(Object.keys(platforms) as Platform[]).map((value) => ({ value, label: platforms[value] }))}
      />
      <Field name="version" label={t(text.version)} />
      <Field name="releasedOn" type="date" label={t({ pl: 'Data wydania', en: 'Release date' })} />
      <Field
        name="url"
        label={t(text.url)}
        hint={t({
          pl: 'https:// albo ścieżka w\u00a0portalu zaczynająca się od /.',
          en: 'https://, or a path of the portal that begins with /.',
        })}
      />
      <Field name="purposePl" label={t({ pl: 'Do czego służy, po polsku', en: 'What it is for, in Polish' })} />
      <Field name="purposeEn" label={t({ pl: 'Do czego służy, po angielsku', en: 'What it is for, in English' })} />
      <Field name="requirementsPl" label={t({ pl: 'Wymagania, po polsku', en: 'Requirements, in Polish' })} />
      <Field name="requirementsEn" label={t({ pl: 'Wymagania, po angielsku', en: 'Requirements, in English' })} />
      <Field
        name="bytes"
        optional
        inputMode="numeric"
        label={t({ pl: 'Rozmiar w\u00a0bajtach', en: 'Size in bytes' })}
      />
      <Field name="sha256" optional label="SHA-256" spellCheck={false} />
    </FormDialog>
  )
}

const initialOf = (of: ListedRelease): Record<string, string> => ({
  release: of.release,
  name: of.name,
  version: of.version,
  releasedOn: of.releasedAt.slice(0, 10),
  url: of.url,
  purposePl: of.purpose.pl,
  purposeEn: of.purpose.en,
  requirementsPl: of.requirements.pl,
  requirementsEn: of.requirements.en,
  ...(of.bytes === null ? {} : { bytes: String(of.bytes) }),
  ...(of.sha256 === null ? {} : { sha256: of.sha256 }),
})
