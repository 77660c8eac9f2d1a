const second = 1
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Every number of the specification that is used in more than one place. Times in seconds unless the name says otherwise. */
export const limits = {
  code: {
    digits: 6,
    life: 10 * minute,
    /** Time after its success during which the same request gets the same answer. */
    repeated: 10 * second,
    entries: 5,
    resendAfter: 60 * second,
    sends: 3,
    pauseAfterSends: 15 * minute,
    /** Number of the wrong entry from which on the customer sees how many entries are left. */
    entriesLeftShownFrom: 3,
    wrongPerPurpose: { limit: 10, window: day },
    wrongWithoutSuccess: 100,
    /** Messages whose code nobody has entered; with entered codes `sendsWithEntered` times as many. */
    sendsPerRecipient: { limit: 10, window: day },
    sendsWithEntered: 6,
    sendsPerAddress: { limit: 30, window: day },
    sendsKeptForSignIn: 2,
    /** Messages per day to one range of numbers; the operator can set another limit. */
    sendsPerRange: 500,
    /** The share of them that may go, in addition, to unconfirmed numbers of the range (R115). */
    unconfirmedOfRange: 0.2,
  },
  session: {
    idle: 15 * minute,
    warning: 2 * minute,
    absolute: 8 * hour,
    stepUp: 5 * minute,
    pending: 10 * minute,
  },
  /** `challenge`: for how long a challenge can be answered. */
  passkeys: { most: 10, name: 60, challenge: 5 * minute, tries: { limit: 20, window: hour } },
  /** `exported`: the newest entries of the history that one file holds. `together`: equal ones that are one row of the page. */
  activity: { exported: 20_000, together: 100, exports: { limit: 20, window: hour } },
  /** `offered`: for how long the file of all own data can be downloaded, and for how long making it is retried. `history`: entries in the PDF; the JSON has all. */
  dataExport: { offered: day, requests: { limit: 3, window: day }, history: 1000, bytes: 67_108_864 },
  password: { min: 13, max: 128, remembered: 5 },
  signIn: {
    pause: { limit: 5, window: 15 * minute },
    botCheckFrom: 3,
    block: { limit: 10, window: day },
    attack: { limit: 3, window: day },
    wrongPerAddress: { limit: 60, window: hour },
    wrongPerSubnet: { limit: 300, window: hour },
  },
  /** Time for which a device stays known after a sign-in. */
  device: { days: 180 },
  link: { reset: 30 * minute, lostPhone: 30 * minute, registration: day, invitation: 7 * day, recipient: 7 * day },
  /**
   * Limits for each kind of link that anybody can request by a name. `spaced`: beyond the other limits, one mail before the previous link
   * expires (R119).
   */
  reset: {
    perAccount: { limit: 3, window: hour },
    perAddress: { limit: 10, window: hour },
    byStrangers: { limit: 20, window: day },
    spaced: { limit: 1, window: 20 * minute },
  },
  /** `kept`: for how long the data of a registration is kept if its link is never used. */
  registration: {
    perHour: { limit: 5, window: hour },
    perDay: { limit: 10, window: day },
    perEmail: { limit: 3, window: hour },
    kept: 7 * day,
  },
  /**
   * `sends`: SMS to an unconfirmed number, from all accounts together; after `window` the number may have another owner.
   * `corrections`: other numbers that one account may enter in a day.
   */
  phoneConfirmation: { sends: { limit: 2, window: 365 * day }, corrections: { limit: 3, window: day } },
  /** `searches`: of one client key, for customers by what is known of them (R142). */
  provider: { searches: { limit: 600, window: hour } },
  pairing: { visible: 5 * minute, secretBits: 160, period: 30, digits: 6, wrong: { limit: 5, window: 15 * minute } },
  /**
   * `content`, `code`: characters of what an app scans, and of what is typed instead. `kept`: the latest expiry from now.
   * `request`: for how long a request for it waits, before the customer can make another.
   */
  activation: { content: 512, code: 64, kept: 90 * day, request: 15 * minute },
  /** Codes for one invitation and invitations to one e-mail address per day; users of one seal by default. */
  seal: {
    codes: { limit: 3, window: day },
    invitations: { limit: 3, window: day },
    users: 50,
    /** Mails that ask one address whether it wants the reminders of a seal. */
    recipients: { limit: 3, window: day },
    /** Most rows of a list that is exported to a file. */
    exported: 5000,
    exports: { limit: 20, window: hour },
    /** Limits of a file with users to invite. */
    imported: { bytes: 65_536, lines: 200 },
    administratorsShown: 3,
    invitationsShown: 20,
  },
  /** `usageDays`: days on one page of the usage. `endNoticeDays`: days before the end of a package on which notices are sent. */
  timestamps: {
    password: { min: 8, max: 128, changes: { limit: 10, window: hour } },
    lowPercent: 10,
    endNoticeDays: [30, 7],
    usageDays: 30,
  },
  /**
   * `codes`: repeated mails of one access code. `signings`: preparations to sign in the portal. `staged`: for how long an upload
   * waits for its confirmation. `check`: how long a check may take (R44, R46).
   */
  documents: {
    codeResendAfter: 60 * second,
    codes: { limit: 3, window: day },
    uploads: { limit: 20, window: hour },
    signings: { limit: 20, window: hour },
    staged: 45 * minute,
    check: 5 * second,
    retryAfter: 60 * second,
  },
  /**
   * Limits on requests to authorities in the check of one file (R104): `certificates` are checked, with paths of at most `pathLength`, in
   * at most `calls` calls that take `together` in all; `ocsp` and `list`: bytes of an answer. `kept`: bytes of answers that a node caches.
   */
  revocation: {
    certificates: 8,
    pathLength: 8,
    calls: 12,
    call: 4 * second,
    together: 10 * second,
    ocsp: 65_536,
    list: 8_388_608,
    kept: 33_554_432,
  },
  /**
   * Trusted lists (CHK-11): `every`: how often they are fetched, and `again`: after a failure. `bytes`: of one list. `call`: for one
   * fetch, of which a list may redirect to `redirects` others. `read` and `megabytes`: time and memory to verify one. `countries`: the most.
   */
  trustedLists: {
    every: 6 * hour,
    again: hour,
    bytes: 8_388_608,
    call: 30 * second,
    redirects: 3,
    read: 2 * minute,
    megabytes: 384,
    countries: 60,
  },
  /**
   * `bytes`: the largest file that a browser checks. `lookUps`: requests that ask authorities (R182). `together`: how many a node makes at a time.
   */
  fileCheck: {
    bytes: 52_428_800,
    lookUps: { limit: 60, window: hour },
    lookUpsBySubnet: { limit: 500, window: hour },
    together: 40,
  },
  /**
   * `files`: files of one signing, each of at most `bytes`. `kept`: for how long its digests and signatures are stored. `lists`: how often
   * an account may have the signing service asked for its certificates.
   */
  fileSigning: {
    files: 20,
    bytes: 52_428_800,
    reason: 100,
    kept: day,
    signings: { limit: 20, window: hour },
    lists: { limit: 120, window: hour },
  },
  /** `wrong`: wrong entries in all steps together. `codes`: SMS to any new numbers. `redirect`: delay after the success. */
  phoneChange: { wrong: { limit: 5, window: day }, codes: { limit: 10, window: day }, redirect: 10 * second },
  /** `window`: days before its end in which a certificate can be renewed. `ahead`: days to the latest activation date. `shortest`: days of validity. */
  renewal: { window: 90, ahead: 60, shortest: 30, draft: 14 * day, pollEvery: 3 * second, pollFor: 2 * minute },
  /**
   * Limits of the authorisation by a signing service after the portal's code: time for which it is awaited, number of tries, number of
   * times that the service sends its code, and time that a request to the service may take: 90 seconds for the confirmation, and seven
   * calls of ten seconds around it.
   */
  signing: { life: 10 * minute, tries: 5, sends: 3, resendAfter: 30 * second, busy: 3 * minute },
  /** Wrong voucher and renewal codes by one account and from one address; codes that the provider can request in one call. */
  voucher: {
    wrongPerAccount: { limit: 5, window: day },
    wrongPerAddress: { limit: 20, window: hour },
    codesAtOnce: 200,
  },
  /**
   * `decide`: for how long the provider may take over a request for another status (eIDAS article 24(3)). `overdue`: how long before that the
   * operator is alarmed. `underWay`: for how long a replaced request may still be at the authority, whose call takes ten seconds at most.
   */
  statusRequest: {
    decide: day,
    overdue: 4 * hour,
    underWay: 15 * second,
    changes: { limit: 10, window: day },
    revocations: { limit: 5, window: day },
    pollEvery: 2 * second,
  },
  /** Numbers of a document that are compared for one account, after which none is for a whole `window` (R221). */
  lostPhone: { numbers: { limit: 5, window: day } },
  /**
   * `evidenceYears`: for how long certificates, agreements and signed documents of an erased account are kept. `failedMessages`: for
   * how long a message that failed permanently waits for an operator.
   */
  retention: { evidenceYears: 20, failedMessages: 30 * day },
  /** `burst`: seconds' worth of calls that may come at once. `wrong`: requests from one address with an invalid key. */
  clientKey: {
    wrong: { limit: 60, window: hour },
    perSecond: 20,
    perSecondMost: 1000,
    burst: 10,
    days: 365,
    daysMost: 1826,
    overlapHours: 24,
  },
  /** Limits of one call. `together`: customers per transaction. */
  customerImport: { bytes: 1_048_576, lines: 2000, lineBytes: 16_384, together: 250 },
  /** Entries of the audit trail in one answer: at most, by default, and at most as a stream. */
  audit: { page: 1000, usual: 100, streamed: 50_000 },
  /** `kept`: for how long an event can be read. `page`: most events in one answer. `usual`: by default. */
  events: { kept: 90 * day, page: 500, usual: 100 },
  /**
   * `call`: how long a delivery may take. `answer`: bytes that are read of its answer. `atOnce`: parallel deliveries to one
   * webhook. `open`: its messages in the outbox; further events wait in the feed. `earlier`: for how long a replaced secret
   * still signs in addition to the new one.
   */
  webhooks: { call: 10 * second, answer: 65_536, atOnce: 5, open: 500, earlier: day, url: 1000 },
  /** Time by which the provider's clock may be ahead when it reports an acceptance (PRV-11). */
  acceptances: { ahead: 5 * minute },
  list: { sizes: [20, 50, 100], size: 20, longFrom: 8, organisations: 50 },
  badge: { amberDays: 60, strongDays: 14 },
  /** Time for which a page waits for each of its first reads, before it is sent without that part (HTT-7). */
  firstReads: { waitMs: 1000 },
  /** Days for which the home page shows what has expired, and what is new and not used yet; in its `lastDays` a certificate is first (HOM-3). */
  home: { overDays: 14, newDays: 60, lastDays: 5 },
  /** Days before a certificate’s end on which its owner is reminded; the last `always` of them cannot be switched off. */
  reminders: { days: [60, 30, 14, 7, 3, 1], always: 2 },
  /**
   * The calendar of expiry dates: `past`: days for which an end stays in it. `entries`: of one kind at most. `every`: hours after which
   * programs are to read it again. `reads`: of one calendar. `unknown`: reads of unknown addresses by one network.
   */
  calendar: {
    past: 30,
    entries: 500,
    every: 12,
    reads: { limit: 60, window: hour },
    unknown: { limit: 60, window: hour },
  },
  /** Characters of the field and of a pasted text; digits of a national number; country lookups from one address. */
  phone: { shown: 25, read: 250, national: { min: 2, max: 17 }, lookups: { limit: 30, window: hour } },
  text: { name: 100, login: 64, email: 254, search: 100, note: 300, described: 400, version: 40 },
  /**
   * Requests from one network address to one node; `burst` seconds' worth may come at once. 1000 at once and 100 a second are
   * enough for an office of 200 people who all open the portal at nine. `addresses`: how many are counted at a time.
   */
  requests: { perSecond: 100, burst: 10, addresses: 50_000 },
  /** CSP reports that a node accepts: per second, bytes of each, and violations in each (R126). */
  cspReports: { perSecond: 20, bytes: 16_384, each: 10 },
  http: {
    jsonBytes: 64 * 1024,
    urlBytes: 2048,
    headerBytes: 16 * 1024,
    pdfBytes: 10_485_760,
    signatureBytes: 1_048_576,
    /** Time that the sender of a refused body has to read the answer. */
    unreadMs: 1000,
    /**
     * Timeout of an answer that `takesLong`: 90 seconds for the customer’s confirmation, and the calls around it; a million entries of the
     * trail take 60.
     */
    awaitedMs: 150_000,
  },
  localeCookieDays: 365,
  buildCheckMs: 3_600_000,
  toast: { durationMs: 5000, removeAfterMs: 1_000_000, swipePx: 50 },
  validationDelayMs: 5,
} as const

/** `limit` events within `window` seconds. */
export type Allowance = { limit: number; window: number }
