import { confirmUpload } from '../../contract/documents.ts'
import type { TestPortal } from './portal-nodes.ts'
import type { Person, TestBrowser } from './browser.ts'
import { accessCode, downloadFile, giveDocument, signAs, stage } from './sample-documents.ts'

/** R51: confirmations of two files of one case, all at once and over both nodes; what is wrong with what they did. */
export async function confirmAtOnce(
  portal: TestPortal,
  { browser, person, howMany }: { browser: TestBrowser; person: Person; howMany: number },
): Promise<string[]> {
  await portal.owner.query(`delete from budgets where name = 'document-uploads'`)
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
  const wrong: string[] = []
  const won = answers.filter(({ status }) => status === 200).length
  if (won !== 1) wrong.push(`${won} have won`)
  for (const { status, problem } of answers)
    if (
      status !== 200 &&
      !(status === 422 && problem.code === 'state-passed' && problem.current === 'subscriber-uploaded')
    )
      wrong.push(`a loser is told ${status} ${problem.code}`)
  const records = await count(
    `select count(*)::int as count from audit where act = 'document-upload-confirmed' and details->>'documentCase' = $1`,
    id,
  )
  if (records !== 1) wrong.push(`${records} records`)
  const mails = (await count('select count(*)::int as count from outbox')) - before
  if (mails !== 1) wrong.push(`${mails} mails`)
  return wrong
}
