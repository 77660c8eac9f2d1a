import { useRef, useState, type ReactNode, type RefObject } from 'react'
import type { Text } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { addSealUser } from '../../contract/seal-users.ts'
import type { Seal } from '../../contract/seals.ts'
import { useLocale, useText } from '../app/locale.tsx'
import { call, hasFailedWith, newIdempotencyKey } from '../calls/api.ts'
import { explainFailure } from '../text/failure-answer.tsx'
import { onlyOne } from '../text/file-problem-text.ts'
import { plural } from '../text/format.ts'
import { LookBadge, type StatusLook } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { DropZone, useHarmlessDrops } from '../ui/drop-zone.tsx'
import { summaryText } from '../ui/form-rules.ts'
import { SaveButton } from '../ui/save-button.tsx'
import { Verbatim } from '../ui/verbatim.tsx'
import { SealDescription, sealRoleText } from './seal-name.tsx'
import { usersFileProblems, readUsersFile, template, type FileUser } from './users-file.ts'

type Props = { seal: Seal; onClose: () => void; onAdded: () => void }

/** A user of the file, with a key under which the invitation is sent once however often it is tried. */
type Line = FileUser & { key: string; isSent: boolean; failure: ReactNode }

const { bytes: mostBytes, lines: mostLines } = limits.seal.imported

/** Adds many users from a file; every line is checked before anything is sent (SEA-18). */
export function ImportUsersDialog({ seal, onClose, onAdded }: Props) {
  const t = useText()
  const input = useRef<HTMLInputElement>(null)
  const status = useRef<HTMLParagraphElement>(null)
  const { lines, problem, choose, isSending, send } = useInvitations(seal, status, onAdded)
  useHarmlessDrops()
  const ready = lines?.filter(({ form, isSent }) => form && !isSent).length ?? 0
  const wrong = lines?.filter(({ form }) => !form).length ?? 0
  const refused = lines?.filter(({ failure }) => Boolean(failure)).length ?? 0
  return (
    <Dialog
      title={t({ pl: 'Dodaj użytkowników z\u00a0pliku', en: 'Add users from a file' })}
      description={<SealDescription seal={seal} />}
      width="xl"
      onClose={onClose}
      isClosable={!isSending}
      footer={
        <>
          <Button variant="quiet" aria-disabled={isSending} onClick={onClose}>
            {lines?.some(({ isSent }) => isSent)
              ? t({ pl: 'Zamknij', en: 'Close' })
              : t({ pl: 'Anuluj', en: 'Cancel' })}
          </Button>
          {ready > 0 && (
            <Button
              variant={wrong ? 'secondary' : 'primary'}
              isBusy={isSending}
              busyText={t({ pl: 'Wysyłamy…', en: 'Sending…' })}
              onClick={send}
            >
              {t(wrong ? onlyRight(ready) : all(ready))}
            </Button>
          )}
        </>
      }
    >
      <div className="stack stack--small">
        <DropZone
          input={input}
          problem={problem && t(problem)}
          label={t({ pl: 'Wybierz plik CSV', en: 'Choose a CSV file' })}
          accept="text/csv,.csv"
          hint={t({
            pl: `Kolumny: imię, nazwisko, e-mail, telefon, a\u00a0jeśli chcesz, rola. Do ${mostLines} osób.`,
            en: `Columns: first name, surname, e-mail, phone and, if you like, role. Up to ${mostLines} people.`,
          })}
          isStill={isSending}
          onFiles={(files) => void choose(files)}
        />
        <SaveButton
          name={t({ pl: 'uzytkownicy-wzor.csv', en: 'users-template.csv' })}
          load={() => Promise.resolve(new Blob([template(t.locale)], { type: 'text/csv' }))}
        >
          {t({ pl: 'Pobierz wzór pliku', en: 'Download a template' })}
        </SaveButton>
        {lines && (
          <>
            <p role="status" tabIndex={-1} ref={status}>
              {t(refused ? notSent(refused) : wrong ? toCorrect(wrong) : ready ? allRight : allSent)}
            </p>
            <ul className="import-lines">
              {lines.map((line) => (
                <ImportLine key={line.key} line={line} />
              ))}
            </ul>
          </>
        )}
      </div>
    </Dialog>
  )
}

/** Holds the lines of the chosen file and sends their invitations. */
function useInvitations(seal: Seal, status: RefObject<HTMLParagraphElement | null>, onAdded: () => void) {
  const locale = useLocale()
  const [lines, setLines] = useState<Line[]>()
  const [problem, setProblem] = useState<Text>()
  const [isSending, setIsSending] = useState(false)

  async function choose(files: FileList | null) {
    const [file, ...more] = files ?? []
    if (!file) return
    const found = more.length
      ? { problem: onlyOne }
      : file.size > mostBytes
        ? { problem: usersFileProblems.large }
        : readUsersFile(new Uint8Array(await file.arrayBuffer()), locale)
    setProblem('problem' in found ? found.problem : undefined)
    setLines(
      'users' in found
        ? found.users.map((user) => ({ ...user, key: newIdempotencyKey(), isSent: false, failure: undefined }))
        : undefined,
    )
  }

  const change = (line: number, changed: Partial<Line>) =>
    setLines((current) => current?.map((each) => (each.line === line ? { ...each, ...changed } : each)))

  /**
   * Sends the invitations one after the other, because the seal is locked for each anyway. Stops at a refusal that all the others would
   * meet.
   */
  async function send() {
    setIsSending(true)
    try {
      for (const { line, form, key, isSent } of lines ?? []) {
        if (!form || isSent) continue
        try {
          await call(addSealUser, { params: { id: seal.id }, body: form, idempotencyKey: key })
          change(line, { isSent: true, failure: undefined })
        } catch (error) {
          if (!hasFailedWith(error)) throw error
          if (error.code === 'canceled') return
          change(line, { failure: explainFailure(locale, error) })
          if (!hasFailedWith(error, 'seal-user-exists', 'sends-spent', 'invalid-input')) return
        }
      }
      // The pressed button may be gone, and the focus must not move to the top of the page (WCAG 2.4.3).
      status.current?.focus()
    } finally {
      setIsSending(false)
      onAdded()
    }
  }

  return { lines, problem, choose, isSending, send }
}

const labels: Record<string, Text> = {
  firstName: { pl: 'Imię', en: 'First name' },
  surname: { pl: 'Nazwisko', en: 'Surname' },
  email: { pl: 'E-mail', en: 'E-mail' },
  phone: { pl: 'Telefon', en: 'Phone' },
}

const readyLook: StatusLook = { kind: 'info', icon: 'clock', text: { pl: 'Do wysłania', en: 'Ready to send' } }
const sentLook: StatusLook = { kind: 'ok', icon: 'check-circle', text: { pl: 'Wysłano', en: 'Sent' } }
const wrongLook: StatusLook = { kind: 'error', icon: 'alert', text: { pl: 'Do poprawy', en: 'To correct' } }

function ImportLine({ line: { line, values, problems, sameAs, form, isSent, failure } }: { line: Line }) {
  const t = useText()
  const { role, ...rest } = values
  return (
    <li>
      <div>
        <b>{t({ pl: `Wiersz ${line}`, en: `Line ${line}` })}</b>
        <p>
          <Verbatim>
            {[`${rest.firstName} ${rest.surname}`.trim(), rest.email, rest.phone.replaceAll(' ', '\u00a0')]
              .filter(Boolean)
              .join(', ')}
          </Verbatim>
          {form && <span className="soft">, {t(sealRoleText[form.role]).toLowerCase()}</span>}
        </p>
        {Object.entries(problems).map(([name, error]) => (
          <p key={name} className="error">
            {name === 'role'
              ? t({
                  pl: `Rola „${role}” nie istnieje. Wpisz „użytkownik” albo „administrator”.`,
                  en: `There’s no role “${role}”. Enter “user” or “administrator”.`,
                })
              : summaryText(t.locale, error, labels[name] && t(labels[name]))}
          </p>
        ))}
        {sameAs !== undefined && (
          <p className="error">
            {t({
              pl: `Ten sam e-mail jest w\u00a0wierszu ${sameAs}`,
              en: `Line ${sameAs} has the same e-mail address`,
            })}
          </p>
        )}
        {failure && <p className="error">{failure}</p>}
      </div>
      <LookBadge look={isSent ? sentLook : form && !failure ? readyLook : wrongLook} />
    </li>
  )
}

const invitations = (count: number): Text => ({
  pl: `${count}\u00a0${plural('pl', count, { one: 'zaproszenie', few: 'zaproszenia', many: 'zaproszeń', other: 'zaproszenia' })}`,
  en: `${count}\u00a0${plural('en', count, { one: 'invitation', other: 'invitations' })}`,
})

const all = (count: number): Text => ({ pl: `Wyślij ${invitations(count).pl}`, en: `Send ${invitations(count).en}` })

const onlyRight = (count: number): Text => ({
  pl: `Wyślij tylko poprawne: ${count}`,
  en: `Send only the correct ones: ${count}`,
})

const toCorrect = (count: number): Text => ({
  pl: `Do poprawy: ${count}. Popraw plik i\u00a0wybierz go ponownie albo wyślij tylko poprawne zaproszenia. Nic jeszcze nie wysłaliśmy do osób z\u00a0błędnych wierszy.`,
  en: `To correct: ${count}. Correct the file and choose it again, or send only the correct invitations. We haven’t sent anything to people in incorrect lines.`,
})

const notSent = (count: number): Text => ({
  pl: `Nie wysłaliśmy: ${count}. Powód jest przy wierszu.`,
  en: `Not sent: ${count}. The reason is next to the line.`,
})

const allRight: Text = {
  pl: 'Wszystkie wiersze są poprawne. Sprawdź je, zanim wyślesz zaproszenia.',
  en: 'All lines are correct. Check them before you send the invitations.',
}

const allSent: Text = { pl: 'Wysłaliśmy wszystkie zaproszenia.', en: 'We’ve sent all invitations.' }
