import type { Mutant } from '../mutants.ts'

const renewal = 'server/renewal/renewal.test.ts'
const issuance = 'server/renewal/renewal-issuance.test.ts'
const model = 'server/renewal/renewal-model.test.ts'
const reminders = 'server/signature-reminders.test.ts'
const rules = 'contract/renewal-rules.test.ts'

export const mutants: Mutant[] = [
  {
    row: 'R58',
    file: 'server/renewal-moves.ts',
    find: 'or r.version = ${version ?? null}::int)',
    replace: 'or ${version ?? null}::int is not null)',
    test: renewal,
    title: 'R58 of two tabs',
  },
  {
    row: 'R59',
    file: 'server/renewal-moves.ts',
    find: 'and r.state = ${expected} and (${version ?? null}::int is null or r.version = ${version ?? null}::int)',
    replace: 'and (${version ?? null}::int is null or ${expected}::text is not null)',
    test: renewal,
    title: 'REN-8 R59 declining ends',
  },
  {
    row: 'R57',
    file: 'server/provider-api/provider-renewals.ts',
    find: ' || !fitsTerms(row, issued)) throw',
    replace: ' || (fitsTerms(row, issued), false)) throw',
    test: issuance,
    title: 'R57 a certificate that is not what was signed',
  },
  {
    row: 'R60',
    file: 'provider/renewal-desk.ts',
    find: '(await authority.issuedFor(publicKey)) ?? ',
    replace: '',
    test: issuance,
    title: 'REN-10 R60 however often',
  },
  {
    row: 'R61',
    file: 'contract/renewal-rules.ts',
    find: 'acceptedTo?.getTime() !== to.getTime()',
    replace: 'acceptedTo === null',
    test: rules,
    title: 'REN-4 REN-5 R61 every identifier',
  },
  {
    row: 'R56',
    file: 'server/renewal/renewal-signing.ts',
    find: "    if (row.version !== expected.version || row.agreement.sha256 !== sha256) throw new Failed('signing-changed')\n",
    replace: '',
    test: model,
    title: 'R56 R58 REN-10 random calls',
  },
  {
    row: 'R56',
    file: 'server/renewal/renewal.ts',
    find: '        row.version === version + 1 &&\n',
    replace: '',
    test: renewal,
    title: 'R56 R58 parameters that a browser sends once more',
  },
  {
    row: 'R60',
    file: 'server/agreement-signing.ts',
    find: "  if (row?.state !== 'authorised') return\n",
    replace: '  if (!row?.agreement) return\n',
    test: model,
    title: 'R56 R60 REN-10 a node that is killed',
  },
  {
    row: 'REN-10',
    file: 'server/unsigned-agreements.ts',
    find: 'not exists (select from outbox o where o.id = r.signing_order and o.outcome is null)',
    replace: 'true',
    test: issuance,
    title: 'REN-10 an agreement that cannot be signed for a day',
  },
  {
    row: 'REN-10',
    file: 'server/agreement-signing.ts',
    find: '  if (!isTaken) await ports.documents.remove(key)\n',
    replace: '',
    test: issuance,
    title: 'REN-10 an agreement that cannot be signed for a day',
  },
  {
    row: 'R31',
    file: 'server/renewals.ts',
    find: 'sql`r.id = ${id} and r.account_id = ${owner}`',
    replace: 'sql`r.id = ${id} and ${owner}::uuid is not null`',
    test: renewal,
    title: 'R31 a code opens a renewal',
  },
  {
    row: 'R61',
    file: 'server/renewal/renewal-view.ts',
    find: "pairable: issued.status === 'good' && issued.validFrom <= now && now < issued.validTo",
    replace: "pairable: issued.status === 'good' && now < issued.validTo",
    test: issuance,
    title: 'REN-9 R61 the QR code is there from the second',
  },
  {
    row: 'SIG-5',
    file: 'server/signature-reminders.ts',
    find: 'from due on conflict do nothing returning step',
    replace: 'from due on conflict (signature_id, step, valid_to) do update set at = portal_now() returning step',
    test: reminders,
    title: 'SIG-5 60, 30, 14, 7, 3 and 1 days before',
  },
  {
    row: 'SIG-5',
    file: 'server/signature-reminders.ts',
    find: 'select min(d) as step from unnest(${sql.val([...steps])}::int[]) d where',
    replace: 'select d as step from unnest(${sql.val([...steps])}::int[]) d where',
    test: reminders,
    title: 'SIG-5 after an outage',
  },
]
