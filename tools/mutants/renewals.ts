import type { Mutant } from '../mutants.ts'

const renewal = 'server/renewal/renewal.test.ts'
const issuance = 'server/renewal/renewal-issuance.test.ts'
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
    row: 'R33',
    file: 'server/renewal/renewal-signing.ts',
    find: 'update(`${id} ${version} ${termsSha256} ${agreement!.sha256}`)',
    replace: 'update(`${id} ${version && termsSha256 && agreement!.sha256 ? 0 : 1}`)',
    test: renewal,
    title: 'R33 a code signs the very agreement',
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
    row: 'R60',
    file: 'server/provider-api/provider-renewals.ts',
    find: "      if (row.state !== 'signed') throw passed(row)\n",
    replace: '',
    test: issuance,
    title: 'R57 a certificate that is not what was signed',
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
    row: 'R61',
    file: 'contract/warsaw-time.ts',
    find: 'warsawClock(summer) === shown ? summer : ',
    replace: '',
    test: rules,
    title: 'R61 a document is valid until',
  },
  {
    row: 'R56',
    file: 'server/renewal/renewal-signing.ts',
    find: "    if (row.version !== expected.version || row.agreement.sha256 !== sha256) throw new Failed('signing-changed')\n",
    replace: '',
    test: 'server/renewal/renewal-model.test.ts',
    title: 'R56 R58 REN-10 random calls',
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
  {
    row: 'SIG-5',
    file: 'server/signature-reminders.ts',
    find: '(a.early_reminders or reached.step = any(${sql.val(lastSteps)}::int[]))',
    replace: '(a.early_reminders)',
    test: reminders,
    title: 'SIG-5 all but the last two',
  },
]
