import { confirmUpload } from '../../contract/documents.ts'
import type { TestPortal } from './portal-nodes.ts'
import type { Person, TestBrowser } from './browser.ts'
import { accessCode, downloadFile, giveDocument, signAs, stage } from './samples/sample-documents.ts'

/** R51: parallel confirmations of two files of one case over both nodes; returns the errors of the result. */
export async function confirmAtOnce(
  portal: TestPortal,
  { browser, person, howMany }: { browser: TestBrowser; person: Person; howMany: number },
): Promise<string[]> {
  await portal.owner.query(`delete from rate_limits where name = 'document-uploads'`)
  const count = async (text: string, ...values: unknown[]) =>
    (await portal.owner.query<{ count: number }>(text, values)).rows[0]!.count
  const { documentCase: id } = await giveDocument(portal, person.id)
  const { file } = await downloadFile(browser, id)
  await portal.deliver()
  const code = accessCode(portal, person.email)
  const staged = [
    (await stage(browser, id, await signAs(file, code, 'locked'))).body,
    (await stage(browser, id, await signAs(file, code, 'clear'))).body,
  ]
  const before = await count('select count(*)::int as count from outbox')
  const answers = await Promise.all(
    Array.from({ length: howMany }, (_, i) => {
      const { sha256, version } = staged[i % 2]!
      return browser.call(confirmUpload, { params: { id }, body: { sha256, version } }, (i >> 1) & 1)
    }),
  )
  const errors: string[] = []
  const won = answers.filter(({ status }) => status === 200).length
  if (won !== 1) errors.push(`${won} confirmations succeeded`)
  for (const { status, problem } of answers)
    if (
      status !== 200 &&
      !(status === 422 && problem.code === 'state-passed' && problem.current === 'subscriber-uploaded')
    )
      errors.push(`a loser gets ${status} ${problem.code}`)
  const entries = await count(
    `select count(*)::int as count from audit where act = 'document-upload-confirmed' and details->>'documentCase' = $1`,
    id,
  )
  if (entries !== 1) errors.push(`${entries} audit entries`)
  const mails = (await count('select count(*)::int as count from outbox')) - before
  if (mails !== 1) errors.push(`${mails} mails`)
  return errors
}
