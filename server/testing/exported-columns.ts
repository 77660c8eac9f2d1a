/**
 * What the copy of all own data has of each table (DAT-6, R87). By default: a list named as the table, with a row for each of the
 * customer's rows and all columns under their names in camelCase, except `account_id`. A table or column that differs needs a line.
 */
export type Row = Record<string, unknown>
type TableExport = {
  /** The rows of the account `$1`, as `t`; those with its `account_id` by default. */
  from?: string
  /** The same rows in the file. */
  rows?: (data: ExportedData) => Row[]
  /** Columns with another name in the file. */
  renamed?: Record<string, string>
  /** Encrypted columns, which are exported decrypted, with their names in the file. */
  decrypted?: Record<string, string>
  /** Columns that are not exported, with the reason. */
  omitted?: Record<string, string>
}

/** The exported file: a list of rows for each kind of thing, but one account and one identification. */
export type ExportedData = Record<string, Row[]> & { account: Row; identification: Row }

const canonical = 'the same value in the form for comparisons'
const secret = 'gives access, or is a hash of what does'
const stored = 'a random name in the document store'
const internal = 'a counter or flag of the portal'
const inHistory = 'it is in the history'
const inParent = 'the file has it in the object that the row belongs to'

/** The reasons why tables or columns are not exported: those of a reason by their names. */
const without = (reasons: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(reasons).flatMap(([reason, names]) => names.split(' ').map((name) => [name, reason])),
  )

/** Tables that are not exported, with the reason. */
export const omittedTables = without({
  'about no customer': 'migrations software documents_store nodes',
  'the provider’s': 'provider_keys webhooks webhook_secrets',
  'keys of the portal': 'secrets document_keys',
  'counters under a MAC, which hides the customer; they expire within days': 'budgets',
  'messages in delivery, whose content is removed when they are sent': 'outbox',
  'answers of one day, whose data is stored elsewhere': 'idempotency',
  'hashes of codes, which are in the history': 'codes',
  'hashes of links, which are in the history': 'links',
  'confirmations of five minutes, which are in the history': 'step_ups',
  'random numbers of five minutes': 'passkey_challenges',
  'hashes of an unfinished signing, which is in the history': 'service_authorisations document_signings',
  'digests and signatures of a day, which are in the history': 'file_signings',
  'this file itself': 'data_exports',
  'places of the audit trail': 'detached_chains',
  'names of files to be removed': 'discarded_files',
  'about accounts that nobody can sign in to': 'erasures',
  'ids and states of actions that are in the history': 'events',
  'a counter of the portal': 'event_feed',
  'of public authorities': 'trusted_lists',
  'a time of a job': 'trusted_list_rounds',
  'of the provider’s staff': 'staff_sessions staff_logouts',
  'changes that nobody has made yet; they expire in a day, and those that are made are in the history':
    'desk_proposals',
})

/** The lists of a kind inside the objects that they belong to. */
const within = (parents: Row[], list: string) => parents.flatMap((parent) => parent[list] as Row[])
const prefixed = (prefix: string, row: unknown) =>
  Object.fromEntries(Object.entries(row as Row).map(([key, value]) => [`${prefix} ${key}`, value]))

/** What a signing app scans is shown once, for whom it is meant. */
const appActivation = without({
  [secret]: 'secret content content_mac shown_mac',
  [internal]: 'secret_id last_step content_expires_at request_id request_failure',
  [inHistory]: 'created_at requested_at shown_at',
})

/** The tables that differ from the default. */
export const exportedTables: Record<string, TableExport> = {
  accounts: {
    from: 'accounts t where t.id = $1',
    rows: ({ account }) => [account],
    renamed: { locale: 'language', blocked_for_strangers: 'blockedForUnknownDevices' },
    decrypted: { phone: 'phone' },
    omitted: without({
      [canonical]: 'login_key email_key phone_index unconfirmed_key',
      [secret]: 'password_hash earlier_hashes',
      'a legal hold, whose reason may be a secret investigation': 'held_at',
    }),
  },
  personal_data: {
    rows: ({ identification }) => [{ all: identification }],
    decrypted: { sealed: 'all' },
    omitted: without({ [canonical]: 'identifier_index' }),
  },
  consents: { renamed: { wording_sha256: 'sha256' }, omitted: without({ [internal]: 'id' }) },
  wordings: {
    from: 'consents c join wordings t on t.sha256 = c.wording_sha256 where c.account_id = $1',
    rows: ({ consents = [] }) => consents.map(({ wording, ...row }) => ({ ...row, wording: JSON.stringify(wording) })),
  },
  sessions: { omitted: without({ [secret]: 'token_hash' }) },
  seal_recipients: {
    from: 'seal_recipients t where t.email_key = (select email_key from accounts where id = $1)',
    renamed: { locale: 'language' },
    omitted: without({ [canonical]: 'email_key', [secret]: 'token_hash' }),
  },
  calendar_addresses: { omitted: without({ [secret]: 'token_hash' }) },
  devices: {
    rows: ({ knownDevices = [] }) => knownDevices,
    renamed: { expires_at: 'knownUntil' },
    omitted: without({ [secret]: 'token_hash' }),
  },
  passkeys: {
    decrypted: { name: 'name' },
    omitted: without({ [secret]: 'credential_id public_key', [internal]: 'counter' }),
  },
  phone_changes: { decrypted: { phone: 'phone' }, omitted: without({ [internal]: 'session_id' }) },
  signatures: {
    rows: ({ signatures = [] }) =>
      signatures.map(({ identifier, agreement, ...row }) => ({
        ...row,
        ...prefixed('identifier', identifier),
        ...prefixed('agreement', agreement),
      })),
    renamed: {
      identifier_type: 'identifier type',
      identifier_country: 'identifier country',
      agreement_language: 'agreement language',
      agreement_bytes: 'agreement bytes',
      agreement_sha256: 'agreement sha256',
      created_at: 'storedAt',
    },
    decrypted: { identifier_value: 'identifier value', certificates: 'certificate' },
    omitted: without({
      [internal]: 'reminder_at',
      'follows from the requests for another status': 'own_suspension',
      [canonical]: 'identifier_index certificate_index serial_index',
      [stored]: 'agreement_key',
    }),
  },
  pairings: {
    from: 'pairings t join signatures s on s.id = t.signature_id where s.account_id = $1',
    rows: ({ signatures = [] }) => signatures.filter(({ pairedAt }) => pairedAt),
    renamed: { signature_id: 'id', confirmed_at: 'pairedAt' },
    omitted: appActivation,
  },
  signature_reminders: {
    from: 'signature_reminders t join signatures s on s.id = t.signature_id where s.account_id = $1',
    rows: ({ signatures = [] }) =>
      signatures.flatMap(({ id, reminders }) =>
        (reminders as Row[]).map((reminder) => ({ ...reminder, signatureId: id })),
      ),
  },
  seal_users: {
    from: `seal_users t where t.account_id = $1 or (t.status = 'pending' and t.email_key = (select email_key from accounts where id = $1))`,
    rows: ({ seals = [] }) => seals,
    renamed: { seal_id: 'seal', status: 'access', locale: 'language' },
    decrypted: { phone: 'phone' },
    omitted: without({ [canonical]: 'email_key', 'follows from the access': 'standing' }),
  },
  seal_reminders: {
    from: 'seal_reminders t join seal_users u on u.id = t.seal_user_id where u.account_id = $1',
    rows: ({ seals = [] }) =>
      seals.flatMap(({ id, reminders }) => (reminders as Row[]).map((reminder) => ({ ...reminder, sealUserId: id }))),
  },
  seal_pairings: {
    from: 'seal_pairings t join seal_users u on u.id = t.seal_user_id where u.account_id = $1',
    rows: ({ seals = [] }) => seals.filter(({ pairedAt }) => pairedAt),
    renamed: { seal_user_id: 'id', confirmed_at: 'pairedAt' },
    omitted: appActivation,
  },
  seals: {
    from: `seals t join seal_users u on u.seal_id = t.id where u.account_id = $1
      or (u.status = 'pending' and u.email_key = (select email_key from accounts where id = $1))`,
    renamed: { id: 'seal' },
    omitted: without({
      'the organisation’s':
        'provider_id period psd2 status certificate certificate_index serial_index chain last_number own_suspension created_at agreement_language agreement_key agreement_bytes agreement_sha256',
    }),
  },
  status_requests: { omitted: without({ [internal]: 'alarmed_at' }) },
  timestamp_accounts: { renamed: { created_at: 'storedAt' } },
  timestamp_packages: {
    from: 'timestamp_packages t join timestamp_accounts a on a.id = t.timestamp_account_id where a.account_id = $1',
    rows: ({ timestampAccounts = [] }) => within(timestampAccounts, 'packages'),
    renamed: { created_at: 'storedAt' },
    omitted: without({ [inParent]: 'timestamp_account_id' }),
  },
  timestamp_usage: {
    from: 'timestamp_usage t join timestamp_accounts a on a.id = t.timestamp_account_id where a.account_id = $1',
    rows: ({ timestampAccounts = [] }) => within(timestampAccounts, 'usage'),
    omitted: without({ [inParent]: 'timestamp_account_id' }),
  },
  timestamp_notices: {
    from: `timestamp_notices t join timestamp_packages p on p.id = t.package_id
      join timestamp_accounts a on a.id = p.timestamp_account_id where a.account_id = $1`,
    rows: ({ timestampAccounts = [] }) => within(timestampAccounts, 'notices'),
    renamed: { package_id: 'package' },
  },
  document_cases: {
    rows: ({ documents = [] }) => documents,
    decrypted: { signer: 'signer' },
    omitted: without({
      [internal]: 'version finish_asked',
      [secret]: 'access_code',
      [stored]: 'document_file upload_file signed_file',
    }),
  },
  document_files: {
    from: 'document_files t join document_cases c on c.id = t.case_id where c.account_id = $1 and t.sha256 is not null',
    rows: ({ documents = [] }) => within(documents, 'files'),
    decrypted: { report: 'report' },
    omitted: without({ [stored]: 'id', [inParent]: 'case_id', [canonical]: 'clear_bytes clear_sha256' }),
  },
  voucher_codes: {
    from: 'voucher_codes t left join voucher_cases c on c.code_id = t.id where t.account_id = $1 or c.account_id = $1',
    rows: ({ vouchers = [] }) => vouchers,
    renamed: { signature_id: 'signature', created_at: 'storedAt' },
    omitted: without({
      [internal]: 'id',
      'exported only once it is used: until then it is as good as money': 'code',
      [secret]: 'code_mac',
    }),
  },
  voucher_cases: {
    rows: ({ vouchers = [] }) => vouchers.filter(({ number }) => number),
    omitted: without({ [internal]: 'id code_id status_known' }),
  },
  renewals: {
    renamed: { signature_id: 'signature' },
    decrypted: { parameters: 'parameters', identity: 'identity', terms: 'terms' },
    omitted: without({
      [internal]: 'code_id version archive_renew_by archive_next_try archive_tries',
      'follows from exported data': 'parameters_sha256 terms_sha256',
      [stored]: 'agreement_key signed_key archive_draft',
      'an id in the outbox': 'signing_order',
      'the signed file has it': 'archive_stamped_at',
    }),
  },
  audit: {
    from: `audit t where t.account_id = $1 and t.act not in ('data-export-made', 'data-export-downloaded')`,
    rows: ({ history = [] }) => history,
    omitted: without({
      'exported only for the customer’s own actions': 'address details',
      [internal]: 'chain seq previous mac',
    }),
  },
}
