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

/** Tables that are not exported, with the reason. */
export const omittedTables: Record<string, string> = {
  migrations: 'about no customer',
  software: 'about no customer',
  provider_keys: 'the provider’s',
  secrets: 'keys of the portal',
  document_keys: 'keys of the portal',
  documents_store: 'about no customer',
  budgets: 'counters under a MAC, which hides the customer; they expire within days',
  outbox: 'messages in delivery, whose content is removed when they are sent',
  idempotency: 'answers of one day, whose data is stored elsewhere',
  codes: 'hashes of codes, which are in the history',
  links: 'hashes of links, which are in the history',
  step_ups: 'confirmations of five minutes, which are in the history',
  passkey_challenges: 'random numbers of five minutes',
  service_authorisations: 'hashes of an unfinished signing, which is in the history',
  file_signings: 'digests and signatures of a day, which are in the history',
  document_signings: 'hashes of an unfinished signing, which is in the history',
  data_exports: 'this file itself',
  detached_chains: 'places of the audit trail',
  discarded_files: 'names of files to be removed',
  erasures: 'about accounts that nobody can sign in to',
  events: 'ids and states of actions that are in the history',
  event_feed: 'a counter of the portal',
  trusted_lists: 'of public authorities',
  trusted_list_rounds: 'a time of a job',
  nodes: 'about no customer',
  staff_sessions: 'of the provider’s staff',
  staff_logouts: 'of the provider’s staff',
  desk_proposals: 'changes that nobody has made yet; they expire in a day, and those that are made are in the history',
  webhooks: 'the provider’s',
  webhook_secrets: 'the provider’s',
}

/** The lists of a kind inside the objects that they belong to. */
const within = (parents: Row[], list: string) => parents.flatMap((parent) => parent[list] as Row[])
const prefixed = (prefix: string, row: unknown) =>
  Object.fromEntries(Object.entries(row as Row).map(([key, value]) => [`${prefix} ${key}`, value]))

/** What a signing app scans is shown once, for whom it is meant. */
const appActivation = {
  secret,
  secret_id: internal,
  last_step: internal,
  created_at: inHistory,
  content: secret,
  content_mac: secret,
  shown_mac: secret,
  content_expires_at: internal,
  request_id: internal,
  requested_at: inHistory,
  request_failure: internal,
  shown_at: inHistory,
}

/** The tables that differ from the default. */
export const exportedTables: Record<string, TableExport> = {
  accounts: {
    from: 'accounts t where t.id = $1',
    rows: ({ account }) => [account],
    renamed: { locale: 'language', blocked_for_strangers: 'blockedForUnknownDevices' },
    decrypted: { phone: 'phone' },
    omitted: {
      login_key: canonical,
      email_key: canonical,
      phone_index: canonical,
      unconfirmed_key: canonical,
      password_hash: secret,
      earlier_hashes: secret,
      held_at: 'a legal hold, whose reason may be a secret investigation',
    },
  },
  personal_data: {
    rows: ({ identification }) => [{ all: identification }],
    decrypted: { sealed: 'all' },
    omitted: { identifier_index: canonical },
  },
  consents: { renamed: { wording_sha256: 'sha256' }, omitted: { id: internal } },
  wordings: {
    from: 'consents c join wordings t on t.sha256 = c.wording_sha256 where c.account_id = $1',
    rows: ({ consents = [] }) => consents.map(({ wording, ...row }) => ({ ...row, wording: JSON.stringify(wording) })),
  },
  sessions: { omitted: { token_hash: secret } },
  seal_recipients: {
    from: 'seal_recipients t where t.email_key = (select email_key from accounts where id = $1)',
    renamed: { locale: 'language' },
    omitted: { email_key: canonical, token_hash: secret },
  },
  calendar_addresses: { omitted: { token_hash: secret } },
  devices: {
    rows: ({ knownDevices = [] }) => knownDevices,
    renamed: { expires_at: 'knownUntil' },
    omitted: { token_hash: secret },
  },
  passkeys: {
    decrypted: { name: 'name' },
    omitted: { credential_id: secret, public_key: secret, counter: internal },
  },
  phone_changes: { decrypted: { phone: 'phone' }, omitted: { session_id: internal } },
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
    omitted: {
      reminder_at: internal,
      own_suspension: 'follows from the requests for another status',
      identifier_index: canonical,
      certificate_index: canonical,
      serial_index: canonical,
      agreement_key: stored,
      years: 'follows from the period',
    },
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
    omitted: { email_key: canonical, standing: 'follows from the access' },
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
    omitted: Object.fromEntries(
      [
        'provider_id',
        'years',
        'period',
        'psd2',
        'status',
        'certificate',
        'certificate_index',
        'serial_index',
        'chain',
        'last_number',
        'own_suspension',
        'created_at',
      ]
        .concat(['agreement_language', 'agreement_key', 'agreement_bytes', 'agreement_sha256'])
        .map((column) => [column, 'the organisation’s']),
    ),
  },
  status_requests: { omitted: { alarmed_at: internal } },
  timestamp_accounts: { renamed: { created_at: 'storedAt' } },
  timestamp_packages: {
    from: 'timestamp_packages t join timestamp_accounts a on a.id = t.timestamp_account_id where a.account_id = $1',
    rows: ({ timestampAccounts = [] }) => within(timestampAccounts, 'packages'),
    renamed: { created_at: 'storedAt' },
    omitted: { timestamp_account_id: inParent },
  },
  timestamp_usage: {
    from: 'timestamp_usage t join timestamp_accounts a on a.id = t.timestamp_account_id where a.account_id = $1',
    rows: ({ timestampAccounts = [] }) => within(timestampAccounts, 'usage'),
    omitted: { timestamp_account_id: inParent },
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
    omitted: {
      version: internal,
      finish_asked: internal,
      access_code: secret,
      document_file: stored,
      upload_file: stored,
      signed_file: stored,
    },
  },
  document_files: {
    from: 'document_files t join document_cases c on c.id = t.case_id where c.account_id = $1 and t.sha256 is not null',
    rows: ({ documents = [] }) => within(documents, 'files'),
    decrypted: { report: 'report' },
    omitted: { id: stored, case_id: inParent, clear_bytes: canonical, clear_sha256: canonical },
  },
  voucher_codes: {
    from: 'voucher_codes t left join voucher_cases c on c.code_id = t.id where t.account_id = $1 or c.account_id = $1',
    rows: ({ vouchers = [] }) => vouchers,
    renamed: { signature_id: 'signature', created_at: 'storedAt' },
    omitted: {
      id: internal,
      code: 'exported only once it is used: until then it is as good as money',
      code_mac: secret,
    },
  },
  voucher_cases: {
    rows: ({ vouchers = [] }) => vouchers.filter(({ number }) => number),
    omitted: { id: internal, code_id: internal, status_known: internal },
  },
  renewals: {
    renamed: { signature_id: 'signature' },
    decrypted: { parameters: 'parameters', identity: 'identity', terms: 'terms' },
    omitted: {
      code_id: internal,
      version: internal,
      parameters_sha256: 'follows from exported data',
      terms_sha256: 'follows from exported data',
      agreement_key: stored,
      signing_order: 'an id in the outbox',
      signed_key: stored,
      archive_renew_by: internal,
      archive_stamped_at: 'the signed file has it',
      archive_next_try: internal,
      archive_tries: internal,
      archive_draft: stored,
    },
  },
  audit: {
    from: `audit t where t.account_id = $1 and t.act not in ('data-export-made', 'data-export-downloaded')`,
    rows: ({ history = [] }) => history,
    omitted: {
      address: 'exported only for the customer’s own actions',
      details: 'exported only for the customer’s own actions',
      chain: internal,
      seq: internal,
      previous: internal,
      mac: internal,
    },
  },
}
